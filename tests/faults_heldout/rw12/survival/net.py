from torch import nn


def risk_net(n_in, hidden, dropout):
    layers, width = [], n_in
    for h in hidden:
        layers += [nn.Linear(width, h), nn.Tanh(), nn.Dropout(dropout)]
        width = h
    final = nn.Linear(width, 1, bias=False)  # the baseline hazard absorbs any constant
    return nn.Sequential(*layers, final, nn.Flatten(0))
