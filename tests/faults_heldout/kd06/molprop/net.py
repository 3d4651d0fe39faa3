import torch
from torch import nn


class Message(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg = nn.Sequential(nn.Linear(2 * d, d), nn.ELU())
        self.upd = nn.Linear(2 * d, d)

    def forward(self, h, src, dst):
        m = self.msg(torch.cat([h[src], h[dst]], 1))
        agg = torch.zeros_like(h).index_add(0, dst, m)
        return h + torch.nn.functional.elu(self.upd(torch.cat([h, agg], 1)))


class Net(nn.Module):
    def __init__(self, n_types, d=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(n_types, d)
        self.layers = nn.ModuleList([Message(d) for _ in range(layers)])
        self.out = nn.Sequential(nn.Linear(d, d), nn.ELU(), nn.Linear(d, 1))

    def forward(self, mol):
        h = self.emb(mol.x)
        for l in self.layers:
            h = l(h, mol.src, mol.dst)
        # extensive property: sum of the contributions of the atoms
        return self.out(h).sum()
