from torch import nn


def churn_net(n_features: int, hidden: int = 96, dropout: float = 0.1) -> nn.Module:
    return nn.Sequential(
        nn.Linear(n_features, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, 1),
        nn.Flatten(0),
    )
