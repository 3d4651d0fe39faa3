from torch import nn


def build(n_in, hidden):
    layers, d = [], n_in
    for h in hidden:
        layers += [nn.Linear(d, h), nn.LeakyReLU(0.1)]
        d = h
    layers.append(nn.Linear(d, 1))
    return nn.Sequential(*layers)
