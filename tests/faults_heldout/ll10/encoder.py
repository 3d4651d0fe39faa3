import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, width=24, feat=64):
        super().__init__()
        def unit(i, o, s):
            return [nn.Conv2d(i, o, 3, stride=s, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]
        self.net = nn.Sequential(*unit(1, width, 1), *unit(width, 2 * width, 2), *unit(2 * width, feat, 2),
                                 nn.Flatten())
        self.out_dim = feat * 4

    def forward(self, x):
        return self.net(x)


class Projector(nn.Module):
    def __init__(self, i, hidden=64, o=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(i, hidden), nn.ReLU(), nn.Linear(hidden, o))

    def forward(self, h):
        return nn.functional.normalize(self.net(h), dim=1)


def nt_xent(za, zb, temperature):
    z = torch.cat([za, zb])
    n = len(za)
    sim = z @ z.T / temperature
    sim.fill_diagonal_(float("-inf"))
    partner = torch.arange(2 * n).roll(n)
    return nn.functional.cross_entropy(sim, partner)
