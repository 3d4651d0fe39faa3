from torch import nn


def hazard_net(n_features, hidden=16, dropout=0.2):
    return nn.Sequential(
        nn.Linear(n_features, hidden), nn.Tanh(), nn.Dropout(dropout),
        nn.Linear(hidden, 1, bias=False), nn.Flatten(0),
    )
