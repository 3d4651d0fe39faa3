import torch
from torch import nn


class Message(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.edge = nn.Linear(2 * width, width)
        self.node = nn.Linear(2 * width, width)

    def forward(self, h, bonds):
        src, dst = bonds
        m = nn.functional.silu(self.edge(torch.cat([h[src], h[dst]], dim=1)))
        inbox = torch.zeros_like(h).index_add_(0, dst, m)
        return h + nn.functional.silu(self.node(torch.cat([h, inbox], dim=1)))


class MomentPool(nn.Module):
    """Mean and spread of the atom states within every fragment."""

    def __init__(self, floor):
        super().__init__()
        self.floor = floor

    def forward(self, h, owner, n_graphs):
        size = torch.bincount(owner, minlength=n_graphs).unsqueeze(1).to(h.dtype)
        zero = h.new_zeros(n_graphs, h.shape[1])
        mean = zero.index_add(0, owner, h) / size
        var = zero.index_add(0, owner, (h - mean[owner]).square()) / size
        spread = var.clamp_min(self.floor).sqrt()
        return torch.cat([mean, spread], dim=1)


class SolubilityNet(nn.Module):
    def __init__(self, n_feat, width, rounds, pool_floor):
        super().__init__()
        self.enter = nn.Linear(n_feat, width)
        self.rounds = nn.ModuleList(Message(width) for _ in range(rounds))
        self.pool = MomentPool(pool_floor)
        self.readout = nn.Sequential(nn.Linear(2 * width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, batch):
        h = self.enter(batch.atoms)
        for layer in self.rounds:
            h = layer(h, batch.bonds)
        return self.readout(self.pool(h, batch.owner, len(batch.target))).squeeze(1)
