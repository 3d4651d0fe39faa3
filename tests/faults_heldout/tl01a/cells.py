"""Recurrent cell and read-out used by the heat-load forecaster."""
import math

import torch
from torch import nn


class MinimalGRUCell(nn.Module):
    """Gated unit with a single forget gate (Zhou et al. 2016)."""

    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.w_f = nn.Parameter(torch.empty(n_in, n_hidden))
        self.u_f = nn.Parameter(torch.empty(n_hidden, n_hidden))
        self.b_f = nn.Parameter(torch.zeros(n_hidden))
        self.w_h = nn.Parameter(torch.empty(n_in, n_hidden))
        self.u_h = nn.Parameter(torch.empty(n_hidden, n_hidden))
        self.b_h = nn.Parameter(torch.zeros(n_hidden))
        for w in (self.w_f, self.w_h):
            nn.init.normal_(w, std=1.0 / math.sqrt(n_in))
        for u in (self.u_f, self.u_h):
            nn.init.orthogonal_(u)

    def forward(self, x, h):
        f = torch.sigmoid(x @ self.w_f + h @ self.u_f + self.b_f)
        cand = torch.tanh(x @ self.w_h + (f * h) @ self.u_h + self.b_h)
        return (1.0 - f) * h + f * cand


class LoadForecaster(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.cell = MinimalGRUCell(n_in, n_hidden)
        self.out = nn.Linear(n_hidden, 1)

    def forward(self, window):                      # (batch, time, features)
        h = window.new_zeros(window.shape[0], self.cell.n_hidden)
        for t in range(window.shape[1]):
            h = self.cell(window[:, t], h)
        return self.out(h).squeeze(-1)
