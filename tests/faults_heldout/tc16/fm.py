import torch
from torch import nn


class FactorizationMachine(nn.Module):
    def __init__(self, n_values, factors, init_std, base_rate):
        super().__init__()
        self.linear = nn.Embedding(n_values, 1)
        self.factors = nn.Embedding(n_values, factors)
        self.bias = nn.Parameter(torch.logit(base_rate))
        nn.init.zeros_(self.linear.weight)
        nn.init.normal_(self.factors.weight, std=init_std)

    def forward(self, x):
        v = self.factors(x)
        pairs = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        return self.bias + self.linear(x).sum((1, 2)) + pairs
