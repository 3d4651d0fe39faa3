import torch
from torch import nn


class ListingModel(nn.Module):
    """Wide and deep: a linear path on the numbers, an MLP on numbers and embeddings."""

    def __init__(self, n_numeric, n_districts, n_energy=5, emb=6, width=64):
        super().__init__()
        self.district = nn.Embedding(n_districts, emb)
        self.energy = nn.Embedding(n_energy, 3)
        self.wide = nn.Linear(n_numeric, 1)
        self.deep = nn.Sequential(
            nn.Linear(n_numeric + emb + 3, width),
            nn.LeakyReLU(0.05),
            nn.Linear(width, width),
            nn.LeakyReLU(0.05),
            nn.Linear(width, 1),
        )

    def forward(self, numeric, district, energy):
        z = torch.cat([numeric, self.district(district), self.energy(energy)], dim=1)
        return (self.wide(numeric) + self.deep(z)).squeeze(1)
