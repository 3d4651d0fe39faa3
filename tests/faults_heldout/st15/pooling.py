import torch
from torch import nn


class GatedPool(nn.Module):
    def __init__(self, dim, hidden=24):
        super().__init__()
        self.v = nn.Linear(dim, hidden)
        self.u = nn.Linear(dim, hidden)
        self.w = nn.Linear(hidden, 1)

    def forward(self, h, empty):
        score = self.w(torch.tanh(self.v(h)) * torch.sigmoid(self.u(h))).squeeze(-1)
        score.masked_fill(empty, float("-inf"))
        a = torch.softmax(score, dim=1)
        return (a.unsqueeze(-1) * h).sum(1), a


class SliceNet(nn.Module):
    def __init__(self, features=6, dim=32):
        super().__init__()
        self.cell = nn.Sequential(nn.Linear(features, 48), nn.ReLU(), nn.Linear(48, dim), nn.ReLU())
        self.pool = GatedPool(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, cells, empty):
        z, _ = self.pool(self.cell(cells), empty)
        return self.out(z).squeeze(-1)
