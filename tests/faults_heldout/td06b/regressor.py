import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, n_features, n_zones, hidden=(64, 32), zone_dim=4):
        super().__init__()
        self.zone = nn.Embedding(n_zones, zone_dim)
        dims = [n_features + zone_dim, *hidden]
        layers = []
        for a, b in zip(dims, dims[1:]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Linear(dims[-1], 1))

    def forward(self, x, z):
        return self.body(torch.cat([x, self.zone(z)], dim=1)).squeeze(1)
