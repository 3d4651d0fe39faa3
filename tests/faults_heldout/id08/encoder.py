import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(3, 24, 7, stride=2, padding=3), nn.BatchNorm1d(24), nn.ReLU(),
            nn.Conv1d(24, 32, 5, stride=2, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, dim, 3, padding=1), nn.BatchNorm1d(dim), nn.ReLU())

    def forward(self, x):
        return self.net(x).mean(-1)


class Projector(nn.Module):
    def __init__(self, dim=48, out=24):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))

    def forward(self, h):
        return F.normalize(self.mlp(h), dim=-1)


def info_nce(a, b, temperature):
    """NT-Xent over the 2N views; the diagonal does not count."""
    z = torch.cat([a, b])
    sim = z @ z.T / temperature
    sim = sim.masked_fill(torch.eye(len(z), dtype=torch.bool), float("-inf"))
    n = len(a)
    partner = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, partner)
