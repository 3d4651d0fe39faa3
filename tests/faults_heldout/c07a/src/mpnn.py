import torch
from torch import nn

from .graphs import ELEMENTS


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg = nn.Linear(2 * d, d)
        self.upd = nn.Linear(2 * d, d)
        self.norm = nn.LayerNorm(d)

    def forward(self, h, src, dst):
        m = torch.relu(self.msg(torch.cat([h[src], h[dst]], -1)))
        agg = torch.zeros_like(h).index_add_(0, dst, m)
        return self.norm(h + torch.relu(self.upd(torch.cat([h, agg], -1))))


class EnergyNet(nn.Module):
    def __init__(self, d=48, depth=3):
        super().__init__()
        self.embed = nn.Embedding(len(ELEMENTS), d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(depth))
        self.readout = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, 1))

    def forward(self, z, src, dst, owner, n_graphs):
        h = self.embed(z)
        for layer in self.layers:
            h = layer(h, src, dst)
        per_atom = self.readout(h).squeeze(-1)
        return torch.zeros(n_graphs).index_add_(0, owner, per_atom)
