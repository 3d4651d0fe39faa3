import torch
from torch import nn
import torch.nn.functional as F


class EmbeddingNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(32 * 16, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x).flatten(1)), dim=1)


class HardTriplet(nn.Module):
    """For every anchor: farthest positive and closest negative of the batch."""

    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, z, y):
        dist = (2 - 2 * z @ z.t()).clamp_min(1e-9).sqrt()
        same = y[:, None] == y[None, :]
        pos = dist.masked_fill(~same, -1.0).max(1).values
        neg = dist.masked_fill(same, 10.0).min(1).values
        hinge = F.relu(pos - neg + self.margin)
        return hinge.mean(), (hinge > 0).float().mean()


@torch.no_grad()
def recall_at(z, y, ks=(1, 5)):
    sim = z @ z.t()
    sim.fill_diagonal_(-2.0)
    order = sim.topk(max(ks), dim=1).indices
    hit = y[order] == y[:, None]
    return [hit[:, :k].any(1).float().mean().item() for k in ks]
