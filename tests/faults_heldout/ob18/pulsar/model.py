from torch import nn


def profile_mlp(n_in, hidden, depth, dropout, n_out):
    layers = []
    for _ in range(depth):
        layers += [nn.Linear(n_in, hidden), nn.LayerNorm(hidden), nn.GELU(), nn.Dropout(dropout)]
        n_in = hidden
    return nn.Sequential(*layers, nn.Linear(n_in, n_out))
