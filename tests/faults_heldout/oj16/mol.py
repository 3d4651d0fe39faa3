import json
import random

import torch
from torch import nn

SYMBOLS = "CNOS"


def graphs(path):
    with open(path) as f:
        for line in f:
            m = json.loads(line)
            a = torch.tensor([SYMBOLS.index(c) for c in m["atoms"]])
            adj = torch.zeros(len(a), len(a))
            for i, j in m["bonds"]:
                adj[i, j] = adj[j, i] = 1.0
            yield a, adj, m["logp"]


class MolNet(nn.Module):
    def __init__(self, dim=24, rounds=2):
        super().__init__()
        self.atom = nn.Embedding(len(SYMBOLS), dim)
        self.msg = nn.ModuleList(nn.Linear(dim, dim) for _ in range(rounds))
        self.upd = nn.ModuleList(nn.Linear(2 * dim, dim) for _ in range(rounds))
        self.read = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, a, adj):
        first = h = self.atom(a)
        for msg, upd in zip(self.msg, self.upd):
            h = h + torch.relu(upd(torch.cat([h, adj @ msg(h)], 1)))
        return self.read(torch.cat([first, h], 1)).sum()
