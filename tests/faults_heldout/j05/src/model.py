from torch import nn


def mlp(dim, hidden, n_classes):
    layers, prev = [], dim
    for h in hidden:
        layers += [nn.Linear(prev, h), nn.ReLU()]
        prev = h
    layers.append(nn.Linear(prev, n_classes))
    return nn.Sequential(*layers)
