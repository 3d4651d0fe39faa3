import torch
from torch import nn


class FactorizationMachine(nn.Module):
    def __init__(self, n_ids, rank, prior):
        super().__init__()
        self.w = nn.Embedding(n_ids, 1)
        self.v = nn.Embedding(n_ids, rank)
        nn.init.zeros_(self.w.weight)
        nn.init.normal_(self.v.weight, std=0.02)
        self.b = nn.Parameter(torch.logit(torch.tensor(prior)))

    def forward(self, ids):
        e = self.v(ids)
        inter = 0.5 * (e.sum(1).square() - e.square().sum(1)).sum(1)
        return self.b + self.w(ids).sum((1, 2)) + inter
