import torch
import torch.nn as nn


def scatter_sum(src, index, n):
    return torch.zeros(n, src.shape[1]).index_add_(0, index, src)


class BarUpdate(nn.Module):
    """One round of joint <-> bar messages; bars are undirected, so each is sent both ways."""

    def __init__(self, h):
        super().__init__()
        self.bar = nn.Sequential(nn.Linear(3 * h, h), nn.GELU(), nn.Linear(h, h))
        self.joint = nn.Sequential(nn.Linear(2 * h, h), nn.GELU(), nn.Linear(h, h))
        self.n1, self.n2 = nn.LayerNorm(h), nn.LayerNorm(h)

    def forward(self, v, e, a, b):
        sym = torch.cat([v[a] + v[b], (v[a] - v[b]).abs(), e], 1)
        e = self.n1(e + self.bar(sym))
        inbox = scatter_sum(e, a, len(v)) + scatter_sum(e, b, len(v))
        v = self.n2(v + self.joint(torch.cat([v, inbox], 1)))
        return v, e


class TrussNet(nn.Module):
    def __init__(self, vin, ein, h=32, rounds=3):
        super().__init__()
        self.v0, self.e0 = nn.Linear(vin, h), nn.Linear(ein, h)
        self.rounds = nn.ModuleList(BarUpdate(h) for _ in range(rounds))
        self.read = nn.Sequential(nn.Linear(4 * h, h), nn.GELU(), nn.Linear(h, 2))

    def forward(self, g):
        v, e = self.v0(g["v"]), self.e0(g["e"])
        for r in self.rounds:
            v, e = r(v, e, g["a"], g["b"])
        n = g["n"]
        vs, es = scatter_sum(v, g["vg"], n), scatter_sum(e, g["eg"], n)
        vc = torch.bincount(g["vg"], minlength=n).unsqueeze(1)
        ec = torch.bincount(g["eg"], minlength=n).unsqueeze(1)
        pooled = torch.cat([vs / vc, vs / 10, es / ec, es / 20], 1)
        mean, raw = self.read(pooled).unbind(1)
        return mean, nn.functional.softplus(raw) + 0.04
