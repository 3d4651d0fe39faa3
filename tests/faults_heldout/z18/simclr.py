import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=128, feat=64, proj=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, feat))
        self.proj = nn.Sequential(nn.ReLU(), nn.Linear(feat, feat), nn.ReLU(), nn.Linear(feat, proj))

    def forward(self, x):
        return self.proj(self.trunk(x))


def nt_xent(a, b, tau=0.3):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target)


@torch.no_grad()
def knn_accuracy(bank, bank_y, query, query_y, k=5):
    sim = F.normalize(query, dim=1) @ F.normalize(bank, dim=1).t()
    votes = bank_y[sim.topk(k, dim=1).indices]
    return (votes.mode(1).values == query_y).float().mean().item()
