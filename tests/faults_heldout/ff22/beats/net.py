from torch import nn


def beat_net(classes=3, w=12):
    layers, c = [], 1
    for k in range(3):
        layers += [nn.Conv1d(c, w << k, 9, stride=2, padding=4), nn.BatchNorm1d(w << k), nn.ReLU()]
        c = w << k
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(4 * c, classes))
