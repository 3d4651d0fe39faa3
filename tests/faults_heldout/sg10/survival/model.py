import torch
from torch import nn


class WeibullNet(nn.Module):
    def __init__(self, n_in, hidden=24, drop=0.1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ELU(), nn.Dropout(drop),
            nn.Linear(hidden, hidden), nn.ELU(), nn.Dropout(drop),
        )
        self.scale = nn.Linear(hidden, 1)
        self.log_shape = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return self.scale(self.body(x)).squeeze(1) + 1.0, self.log_shape
