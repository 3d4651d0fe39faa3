import torch
from torch import nn


class Conv(nn.Module):
    """GINE-style message passing."""

    def __init__(self, width, n_orders):
        super().__init__()
        self.bond = nn.Embedding(n_orders, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.eps = nn.Parameter(torch.zeros(()))

    def forward(self, h, edges, order):
        src, dst = edges
        msg = torch.relu(h[src] + self.bond(order))
        agg = torch.zeros_like(h).index_add_(0, dst, msg)
        return h + self.mlp((1 + self.eps) * h + agg)


class PropertyNet(nn.Module):
    def __init__(self, width, layers, dropout, n_atoms=6, n_orders=3):
        super().__init__()
        self.embed = nn.Embedding(n_atoms, width)
        self.convs = nn.ModuleList(Conv(width, n_orders) for _ in range(layers))
        self.readout = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(dropout), nn.Linear(width, 1))

    def forward(self, g):
        h = self.embed(g.atoms)
        for conv in self.convs:
            h = conv(h, g.edges, g.order)
        per_atom = self.readout(h).squeeze(-1)
        return torch.zeros(g.size).index_add_(0, g.owner, per_atom)
