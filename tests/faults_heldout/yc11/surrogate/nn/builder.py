import torch.nn as nn

from .initializers import init_weights

ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "tanh": nn.Tanh}


def mlp(n_in, n_out, width, depth, activation):
    act = ACTIVATIONS[activation]
    layers = [nn.Linear(n_in, width), act()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), act()]
    return nn.Sequential(*layers, nn.Linear(width, n_out))


KINDS = {"mlp": mlp}


def build(spec, n_in, n_out):
    model = KINDS[spec.kind](n_in, n_out, spec.width, spec.depth, spec.activation)
    return model.apply(init_weights)
