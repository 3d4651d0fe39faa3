import torch
from torch import nn


def neighbourhood(edges, n_nodes, aggregate):
    """dense propagation matrix with self loops; aggregate is 'sum', 'mean' or 'gcn'"""
    a = torch.eye(n_nodes)
    a[edges[0], edges[1]] = 1.0
    a[edges[1], edges[0]] = 1.0
    degree = a.sum(1)
    if aggregate == "sum":
        return a
    if aggregate == "mean":
        return a / degree[:, None]
    if aggregate == "gcn":
        return a / (degree[:, None] * degree[None, :]).sqrt()
    raise ValueError(aggregate)


class GraphLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.self_lin = nn.Linear(dim, dim)
        self.nbr_lin = nn.Linear(dim, dim, bias=False)

    def forward(self, h, prop):
        return torch.relu(self.self_lin(h) + prop @ self.nbr_lin(h))


class GraphNet(nn.Module):
    def __init__(self, n_in, dim, n_layers, n_out, dropout):
        super().__init__()
        self.inp = nn.Linear(n_in, dim)
        self.layers = nn.ModuleList(GraphLayer(dim) for _ in range(n_layers))
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(dim, n_out)

    def forward(self, x, prop):
        h = torch.relu(self.inp(x))
        for layer in self.layers:
            h = layer(self.drop(h), prop)
        return self.out(h)
