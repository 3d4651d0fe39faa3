from torch import nn


def block(i, o, p):
    return [nn.Linear(i, o, bias=False), nn.BatchNorm1d(o), nn.ReLU(), nn.Dropout(p)]


def build(d_in, classes, hidden, dropout):
    layers, d = [], d_in
    for h in hidden:
        layers += block(d, h, dropout)
        d = h
    return nn.Sequential(*layers, nn.Linear(d, classes))
