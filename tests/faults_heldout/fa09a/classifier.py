from torch import nn

from stations import FIELDS, REGIMES


def build_classifier(hidden: int, depth: int) -> nn.Module:
    layers, width = [], len(FIELDS)
    for _ in range(depth):
        layers += [nn.Linear(width, hidden), nn.Tanh()]
        width = hidden
    layers.append(nn.Linear(width, len(REGIMES)))
    return nn.Sequential(*layers)
