import torch
from torch import nn


class SpectrumEncoder(nn.Module):
    """Dense encoder for one 48-channel mass-spectrum fingerprint."""

    def __init__(self, channels=48, width=160, code=32):
        super().__init__()
        self.inp = nn.Linear(channels, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, code)
        self.norm = nn.LayerNorm(code)
        self.act = nn.GELU()

    def forward(self, x):
        h = self.act(self.inp(x))
        h = h + self.act(self.mid(h))
        return self.norm(self.out(h))


class FamilyClassifier(nn.Module):
    def __init__(self, encoder, code=32, families=4):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(code, families)

    def forward(self, x):
        return self.head(self.encoder(x))
