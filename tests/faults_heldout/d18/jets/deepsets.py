import torch
from torch import nn


class DeepSets(nn.Module):
    def __init__(self, d=3, h=32):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.rho = nn.Sequential(nn.Linear(2 * h, h), nn.ReLU(), nn.Linear(h, 1))

    def forward(self, parts):
        alive = parts[..., 3:]
        f = self.phi(parts[..., :3]) * alive
        mean = f.sum(1) / alive.sum(1).clamp(min=1)
        return self.rho(torch.cat([mean, f.amax(1)], 1)).squeeze(1)
