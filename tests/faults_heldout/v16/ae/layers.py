from torch import nn


def dense(n_in, n_out, act=True):
    layers = [nn.Linear(n_in, n_out)]
    if act:
        layers += [nn.LayerNorm(n_out), nn.GELU()]
    return nn.Sequential(*layers)
