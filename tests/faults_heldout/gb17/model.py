from torch import nn


class Scorer(nn.Module):
    """Gated two-branch network for tabular screening data."""

    def __init__(self, features, width=128):
        super().__init__()
        self.value = nn.Sequential(nn.Linear(features, width), nn.GELU(), nn.Linear(width, width))
        self.gate = nn.Sequential(nn.Linear(features, width), nn.GELU(), nn.Linear(width, width), nn.Sigmoid())
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Dropout(0.1), nn.Linear(width, 1))

    def forward(self, x):
        return self.out(self.value(x) * self.gate(x)).squeeze(-1)
