import torch
from torch import nn


class SessionEncoder(nn.Module):
    """Per-purchase features, then mean and spread over the session."""

    def __init__(self, n_in=2, width=32):
        super().__init__()
        self.step = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width))
        self.head = nn.Sequential(nn.Linear(2 * width, 32), nn.SiLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, flat, lengths):
        h = self.step(flat)
        pooled = [torch.cat([part.mean(0), part.std(0)]) for part in h.split(lengths)]
        return self.head(torch.stack(pooled)).squeeze(-1)
