import torch
from torch import nn


class CategoryEncoder(nn.Module):
    def __init__(self, cardinalities, dim):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, dim) for c in cardinalities)
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.05)

    def forward(self, ids):
        return torch.cat([t(ids[:, j]) for j, t in enumerate(self.tables)], dim=1)


class ClickModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = CategoryEncoder(cfg.cardinalities, cfg.emb_dim)
        width = cfg.emb_dim * len(cfg.cardinalities) + cfg.n_dense
        layers = []
        for h in cfg.hidden:
            layers += [nn.Linear(width, h), nn.LayerNorm(h), nn.ReLU()]
            width = h
        self.tower = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, ids, dense):
        z = torch.cat([self.embed(ids), dense], dim=1)
        return self.out(self.tower(z)).squeeze(1)
