import torch
import torch.nn as nn
import torch.nn.functional as F


class SpectrumEncoder(nn.Module):
    """1-d conv net from a NIR spectrum to a unit vector."""

    def __init__(self, dim=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.GELU(),
            nn.Conv1d(16, 32, 5, stride=2, padding=2), nn.GELU(),
            nn.Conv1d(32, 32, 5, stride=2, padding=2), nn.GELU(),
        )
        self.fc = nn.LazyLinear(dim)

    def forward(self, s):
        return F.normalize(self.fc(self.net(s.unsqueeze(1)).flatten(1)), dim=1)


def supcon(z, y, tau=0.15):
    """Supervised contrastive loss over the batch."""
    n = len(z)
    sim = z @ z.T / tau
    eye = torch.eye(n, dtype=torch.bool)
    sim = sim.masked_fill(eye, -1e9)
    logp = sim - sim.logsumexp(1, keepdim=True)
    pos = (y[:, None] == y[None, :]) & ~eye
    has = pos.any(1)
    return -((logp * pos).sum(1)[has] / pos.sum(1)[has]).mean()
