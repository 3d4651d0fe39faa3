import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, width=32, dim=64):
        super().__init__()
        def conv(i, o, k, s):
            return nn.Sequential(nn.Conv1d(i, o, k, stride=s, padding=k // 2, bias=False), nn.BatchNorm1d(o), nn.ReLU())
        self.body = nn.Sequential(conv(1, width, 7, 2), conv(width, width, 5, 2), conv(width, dim, 5, 2), conv(dim, dim, 3, 1))

    def forward(self, x):
        h = self.body(x)
        return h.mean(2)


class Projector(nn.Sequential):
    def __init__(self, dim=64, out=32):
        super().__init__(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))


def nt_xent(za, zb, temperature):
    """Each row must find its other view among the 2B-1 remaining rows."""
    z = F.normalize(torch.cat([za, zb]), dim=1)
    sim = z @ z.t() / temperature
    n = z.size(0)
    sim = sim.masked_fill(torch.eye(n, dtype=torch.bool), float("-inf"))
    target = torch.arange(n).roll(n // 2)
    return F.cross_entropy(sim, target)
