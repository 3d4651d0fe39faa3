import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.SiLU()]
    return nn.Sequential(*layers[:-1])


class DeepSets(nn.Module):
    def __init__(self, features=5, latent=48, hidden=64):
        super().__init__()
        self.phi = mlp(features, hidden, hidden, latent)
        self.norm = nn.LayerNorm(2 * latent)
        self.rho = mlp(2 * latent, hidden, hidden, 1)

    def forward(self, x, mask):
        h = self.phi(x) * mask.unsqueeze(-1)
        pooled = torch.cat([h.sum(1) / mask.sum(1, keepdim=True), h.amax(1)], dim=1)
        return self.rho(self.norm(pooled))
