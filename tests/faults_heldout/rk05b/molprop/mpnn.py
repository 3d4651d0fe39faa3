import torch
from torch import nn


class Round(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.message = nn.Linear(width, width)
        self.update = nn.Sequential(nn.Linear(2 * width, width), nn.SiLU(), nn.Linear(width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, h, edge, gate):
        src, dst = edge
        m = self.message(h)[src] * gate
        agg = torch.zeros_like(h).index_add_(0, dst, m)
        return h + self.update(torch.cat([self.norm(h), agg], dim=1))


class Mpnn(nn.Module):
    def __init__(self, n_atoms, n_bonds, width, rounds):
        super().__init__()
        self.atom = nn.Embedding(n_atoms, width)
        self.bond = nn.Embedding(n_bonds, width)
        self.rounds = nn.ModuleList(Round(width) for _ in range(rounds))
        self.readout = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, atom, edge, bond, graph, n_graphs):
        h = self.atom(atom)
        gate = torch.sigmoid(self.bond(bond))
        for r in self.rounds:
            h = r(h, edge, gate)
        per_atom = self.readout(h).squeeze(1)
        return torch.zeros(n_graphs).index_add_(0, graph, per_atom)
