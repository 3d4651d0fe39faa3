import torch
from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "leaky_relu": nn.LeakyReLU, "none": nn.Identity}


def activation(name):
    """Look an activation class up by its config name."""
    return ACTIVATIONS.get(name.strip().lower(), nn.Identity)


def dense(sizes, act):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), activation(act)()]
    return layers


class EntityNet(nn.Module):
    """Entity embeddings + dense trunk."""

    def __init__(self, cardinalities, n_numeric, hidden=(96, 96, 48), act="leaky-relu"):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, min(8, c)) for c in cardinalities)
        width = sum(t.embedding_dim for t in self.tables) + n_numeric
        self.trunk = nn.Sequential(*dense([width, *hidden], act), nn.Linear(hidden[-1], 1))

    def forward(self, cats, nums):
        parts = [t(cats[:, k]) for k, t in enumerate(self.tables)]
        return self.trunk(torch.cat([*parts, nums], 1)).squeeze(1)
