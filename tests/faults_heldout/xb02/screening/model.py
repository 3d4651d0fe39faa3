from torch import nn


def build_mlp(n_in, hidden=(32, 16), dropout=0.1):
    layers = []
    for h in hidden:
        layers += [nn.Linear(n_in, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Dropout(dropout)]
        n_in = h
    layers.append(nn.Linear(n_in, 1))
    return nn.Sequential(*layers)
