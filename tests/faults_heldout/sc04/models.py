from torch import nn


def mlp(sizes, dropout=0.0):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(nn.ReLU())
            if dropout:
                layers.append(nn.Dropout(dropout))
    return nn.Sequential(*layers)


class TumorClassifier(nn.Module):
    def __init__(self, n_features, hidden=(64, 32), dropout=0.1):
        super().__init__()
        self.net = mlp([n_features, *hidden, 1], dropout)

    def forward(self, x):
        return self.net(x).squeeze(-1)
