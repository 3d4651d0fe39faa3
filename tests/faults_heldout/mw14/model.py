import torch
from torch import nn


class FactorizationMachine(nn.Module):
    """Main effects plus pairwise interactions between one-hot fields (Rendle 2010)."""

    def __init__(self, n_features, rank=6):
        super().__init__()
        self.linear = nn.Linear(n_features, 1)
        self.factors = nn.Parameter(torch.randn(n_features, rank) * 0.1)

    def forward(self, x):
        summed = x @ self.factors
        squared = (x * x) @ (self.factors * self.factors)
        return self.linear(x).squeeze(1) + 0.5 * (summed * summed - squared).sum(1)


def parameter_groups(model, weight_decay):
    """Weight decay for the weights, none for the biases."""
    decay, plain = [], []
    for name, p in model.named_parameters():
        if name.endswith("weight"):
            decay.append(p)
        elif name.endswith("bias"):
            plain.append(p)
    return [{"params": decay, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]
