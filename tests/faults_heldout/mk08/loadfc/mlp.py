from torch import nn


def build(n_in, hidden, n_out):
    layers, width = [], n_in
    for h in hidden:
        layers += [nn.Linear(width, h), nn.SiLU()]
        width = h
    return nn.Sequential(*layers, nn.Linear(width, n_out))
