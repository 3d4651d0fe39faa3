import torch
from torch import nn


class GINLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(()))
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.LayerNorm(dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, h, src, dst):
        agg = torch.zeros_like(h).index_add_(0, dst, h[src])
        return h + torch.relu(self.mlp((1 + self.eps) * h + agg))


class GraphTagger(nn.Module):
    def __init__(self, n_types, n_tags, dim=64, depth=3):
        super().__init__()
        self.embed = nn.Embedding(n_types, dim)
        self.layers = nn.ModuleList(GINLayer(dim) for _ in range(depth))
        self.readout = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, n_tags))

    def forward(self, atoms, src, dst, owner, n_graphs):
        h = self.embed(atoms)
        for layer in self.layers:
            h = layer(h, src, dst)
        pooled = torch.zeros(n_graphs, h.size(1)).index_add_(0, owner, h)
        counts = torch.bincount(owner, minlength=n_graphs).clamp(min=1).unsqueeze(1)
        return self.readout(pooled / counts.sqrt())
