import torch
from torch import nn

from molecules import ELEMENTS


class Conv(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.own = nn.Linear(width, width)
        self.near = nn.Linear(width, width, bias=False)
        self.norm = nn.LayerNorm(width)

    def forward(self, h, adj):
        return h + torch.relu(self.norm(self.own(h) + self.near(adj @ h)))


class PropertyNet(nn.Module):
    def __init__(self, width=32, depth=2, max_degree=12):
        super().__init__()
        self.atom = nn.Embedding(len(ELEMENTS) + 1, width)
        self.degree = nn.Embedding(max_degree, width)
        self.convs = nn.ModuleList(Conv(width) for _ in range(depth))
        self.readout = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, atoms, adj, degree):
        h = self.atom(atoms) + self.degree(degree.long().clamp(max=self.degree.num_embeddings - 1))
        for conv in self.convs:
            h = conv(h, adj)
        graph = h.mean(dim=1)
        return self.readout(graph).squeeze(-1)
