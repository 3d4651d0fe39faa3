import math

import torch
from torch import nn


def init_dense(layer, gain):
    std = gain / math.sqrt(layer.in_features)
    with torch.no_grad():
        layer.weight.normal_(0.0, std)
        layer.bias.zero_()
    return layer


class ColumnScaler:
    """Centre and scale fitted once on the training rows."""

    def fit(self, x):
        self.mu, self.sd = x.mean(0), x.std(0).clamp_min(1e-6)
        return self

    def __call__(self, x):
        return (x - self.mu) / self.sd


class Encoder(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.a = init_dense(nn.Linear(n_in, hidden), math.sqrt(2))
        self.b = init_dense(nn.Linear(hidden, n_out), 1.0)

    def forward(self, x):
        return torch.tanh(self.b(torch.relu(self.a(x))))


class SensorFusion(nn.Module):
    """One encoder per source, joined in a common head."""

    def __init__(self, sources, widths, head):
        super().__init__()
        self.branches = []
        joined = 0
        for src in sources:
            enc = Encoder(widths[src["name"]], src["hidden"], src["code"])
            setattr(self, "enc_" + src["slot"], enc)
            self.branches.append((src["name"], enc))
            joined += src["code"]
        self.h1 = init_dense(nn.Linear(joined, head), math.sqrt(2))
        self.h2 = init_dense(nn.Linear(head, 1), 1.0)

    def forward(self, batch):
        code = torch.cat([enc(batch[name]) for name, enc in self.branches], dim=1)
        return self.h2(torch.relu(self.h1(code))).squeeze(1)
