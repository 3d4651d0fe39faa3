import torch
import torch.nn.functional as F
from torch import nn


class CoralNet(nn.Module):
    """Rank-consistent ordinal regression: one shared score, K-1 ordered thresholds."""

    def __init__(self, n_in, counts, hidden, dropout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
        )
        self.score = nn.Linear(hidden, 1, bias=False)
        above = 1 - counts.cumsum(0)[:-1] / counts.sum()
        self.cuts = nn.Parameter(torch.logit(above))

    def forward(self, x):
        return self.score(self.body(x)) + self.cuts


def levels(y, n_grades):
    return (y[:, None] > torch.arange(n_grades - 1)).float()


def coral_loss(logits, y):
    return F.binary_cross_entropy_with_logits(logits, levels(y, logits.shape[1] + 1))


def predict(logits):
    return (logits > 0).sum(1)
