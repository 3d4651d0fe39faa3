from torch import nn


def build(n_bands, hidden, dropout):
    return nn.Sequential(
        nn.Linear(n_bands, hidden), nn.SiLU(), nn.Dropout(dropout),
        nn.Linear(hidden, hidden), nn.SiLU(), nn.Dropout(dropout),
        nn.Linear(hidden, 1),
    )
