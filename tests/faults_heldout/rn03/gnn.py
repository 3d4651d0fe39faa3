import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.nbr = nn.Linear(d_in, d_out, bias=False)
        self.norm = nn.LayerNorm(d_out)

    def forward(self, h, adj):
        return torch.relu(self.norm(self.own(h) + self.nbr(adj @ h)))


class GraphNet(nn.Module):
    def __init__(self, n_types=4, width=32, n_classes=3):
        super().__init__()
        self.embed = nn.Embedding(n_types, width)
        self.convs = nn.ModuleList([Conv(width, width) for _ in range(3)])
        self.readout = nn.Linear(2 * width, n_classes)

    def forward(self, atoms, adj):
        h = self.embed(atoms)
        for conv in self.convs:
            h = conv(h, adj)
        return self.readout(torch.cat([h.mean(1), h.amax(1)], dim=-1))
