import torch
import torch.nn as nn


class GINLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(()))
        self.mlp = nn.Sequential(nn.Linear(i, o), nn.LayerNorm(o), nn.ReLU(), nn.Linear(o, o), nn.ReLU())

    def forward(self, x, edges):
        msg = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
        return self.mlp((1 + self.eps) * x + msg)


class GIN(nn.Module):
    def __init__(self, features, classes, hidden, layers):
        super().__init__()
        dims = [features] + [hidden] * layers
        self.layers = nn.ModuleList(GINLayer(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(2 * hidden * layers, classes)

    def forward(self, g):
        x, pooled = g.x, []
        count = torch.bincount(g.owner, minlength=g.size)[:, None]
        for layer in self.layers:
            x = layer(x, g.edges)
            zero = x.new_zeros(g.size, x.shape[1])
            pooled.append(zero.index_add(0, g.owner, x) / count)
            pooled.append(zero.scatter_reduce(0, g.owner[:, None].expand_as(x), x, "amax"))
        return self.out(torch.cat(pooled, 1))
