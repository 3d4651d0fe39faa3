from torch import nn


def activation(name):
    """Layer for the activation named in the config ("none" gives a plain linear block)."""
    return getattr(nn, name, nn.Identity)()


def build_mlp(n_in, hidden, activation_name, dropout):
    layers, width = [], n_in
    for h in hidden:
        layers.append(nn.Linear(width, h))
        layers.append(activation(activation_name))
        if dropout > 0:
            layers.append(nn.Dropout(dropout))
        width = h
    layers.append(nn.Linear(width, 1))
    return nn.Sequential(*layers)
