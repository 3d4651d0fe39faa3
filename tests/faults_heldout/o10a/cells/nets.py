import torch.nn as nn

from .registry import register


@register("linear")
class LinearNet(nn.Linear):
    def __init__(self, n_genes, n_types, **_):
        super().__init__(n_genes, n_types)


@register("bn_mlp")
class BNMLP(nn.Module):
    def __init__(self, n_genes, n_types, hidden=64, depth=2):
        super().__init__()
        layers, width = [], n_genes
        for _ in range(depth):
            layers += [nn.Linear(width, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU()]
            width = hidden
        self.layers = nn.Sequential(*layers)
        self.out = nn.Linear(width, n_types)

    def forward(self, x):
        return self.out(self.layers(x))
