from itertools import pairwise

from torch import nn

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU, "silu": nn.SiLU}


def mlp(n_in, widths, n_out, activation):
    act = ACTIVATIONS[activation]
    sizes = [n_in, *widths]
    layers = []
    for a, b in pairwise(sizes):
        layers += [nn.Linear(a, b), act()]
    layers.append(nn.Linear(sizes[-1], n_out))
    return nn.Sequential(*layers)
