import torch.nn as nn


def make_scorer(n_in, sizes=(24, 12), drop=0.2):
    layers, last = [], n_in
    for s in sizes:
        layers += [nn.Linear(last, s), nn.ReLU(), nn.Dropout(drop)]
        last = s
    layers.append(nn.Linear(last, 1))
    return nn.Sequential(*layers)
