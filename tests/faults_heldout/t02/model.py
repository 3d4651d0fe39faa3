from torch import nn


def build_mlp(n_in=10, hidden=24):
    return nn.Sequential(
        nn.Linear(n_in, hidden),
        nn.Tanh(),
        nn.Linear(hidden, 1),
    )
