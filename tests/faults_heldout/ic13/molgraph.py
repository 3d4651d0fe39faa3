import json
import random

import torch
from torch import nn


def load(path, seed=0, n_test=100):
    graphs = []
    for g in json.load(open(path)):
        n = len(g["atoms"])
        adj = torch.zeros(n, n)
        for a, b in g["bonds"]:
            adj[a, b] = adj[b, a] = 1.0
        graphs.append((torch.tensor(g["atoms"]), adj, torch.tensor(g["gap"])))
    random.Random(seed).shuffle(graphs)
    test, train = graphs[:n_test], graphs[n_test:]
    y = torch.stack([g[2] for g in train])
    return train, test, y.mean(), y.std()


class MessagePassing(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.self_lin = nn.Linear(dim, dim)
        self.nbr_lin = nn.Linear(dim, dim, bias=False)

    def forward(self, h, adj):
        return h + torch.relu(self.self_lin(h) + self.nbr_lin(adj @ h))


class GraphRegressor(nn.Module):
    def __init__(self, n_types=4, dim=24, rounds=2):
        super().__init__()
        self.atom = nn.Embedding(n_types, dim)
        self.rounds = nn.ModuleList(MessagePassing(dim) for _ in range(rounds))
        self.readout = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, atoms, adj):
        h = self.atom(atoms)
        for layer in self.rounds:
            h = layer(h, adj)
        return self.readout(h).sum() * 0.1
