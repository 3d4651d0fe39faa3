import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 64, 3, padding=1, stride=2), nn.BatchNorm2d(64), nn.ReLU(),
        )
        self.fc = nn.Linear(64 * 4, dim)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class Projector(nn.Module):
    def __init__(self, dim=64, out=32):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))

    def forward(self, h):
        return F.normalize(self.net(h), dim=1)


def nt_xent(z1, z2, temperature=0.2):
    n = len(z1)
    z = torch.cat([z1, z2])
    sim = z @ z.T / temperature
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    positive = torch.arange(2 * n).roll(n)
    return F.cross_entropy(sim, positive)
