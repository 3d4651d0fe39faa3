from torch import nn


def build(n_kinds, ch=16):
    return nn.Sequential(
        nn.Conv1d(1, ch, 5, padding=2), nn.LeakyReLU(0.1), nn.AvgPool1d(2),
        nn.Conv1d(ch, 2 * ch, 5, padding=2), nn.LeakyReLU(0.1), nn.AvgPool1d(2),
        nn.Flatten(), nn.Linear(2 * ch * 12, 64), nn.LeakyReLU(0.1), nn.Dropout(0.2), nn.Linear(64, n_kinds),
    )
