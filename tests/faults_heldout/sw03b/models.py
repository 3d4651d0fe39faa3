from torch import nn

ACTIVATIONS = {"silu": nn.SiLU, "tanh": nn.Tanh, "relu": nn.ReLU}


def build_mlp(n_in, n_out, width, depth, activation):
    layers, d = [], n_in
    for _ in range(depth):
        layers += [nn.Linear(d, width), ACTIVATIONS[activation]()]
        d = width
    layers.append(nn.Linear(d, n_out))
    return nn.Sequential(*layers)
