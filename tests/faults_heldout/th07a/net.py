import torch.nn as nn


def make_net(bands, classes, width, dropout):
    return nn.Sequential(
        nn.Linear(bands, width),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(width, classes),
    )
