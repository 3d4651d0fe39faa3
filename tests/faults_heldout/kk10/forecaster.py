import torch
from torch import nn


class NextHour(nn.Module):
    """GRU that predicts the heart rate of the next hour at every hour."""

    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        z, _ = self.gru(x.unsqueeze(-1))
        return self.head(z).squeeze(-1)


def mean_absolute_error(pred, y, lengths):
    inside = torch.arange(y.shape[1])[None, :] < lengths[:, None]
    return (pred - y).abs()[inside].sum().item(), int(inside.sum())
