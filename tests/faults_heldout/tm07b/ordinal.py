import torch
from torch import nn
import torch.nn.functional as F


class CumulativeHead(nn.Module):
    """P(grade > k) = sigmoid(score - threshold_k) with increasing thresholds."""

    def __init__(self, n_grades):
        super().__init__()
        self.first = nn.Parameter(torch.tensor(-2.0))
        self.steps = nn.Parameter(torch.ones(n_grades - 2))

    def forward(self, score):
        cuts = torch.cat([self.first.view(1), self.first + torch.cumsum(F.softplus(self.steps), 0)])
        return score - cuts


class GradeNet(nn.Module):
    def __init__(self, n_in, n_grades, hidden, dropout):
        super().__init__()
        layers, last = [], n_in
        for h in hidden:
            layers += [nn.Linear(last, h), nn.ReLU(), nn.Dropout(dropout)]
            last = h
        self.body = nn.Sequential(*layers, nn.Linear(last, 1))
        self.head = CumulativeHead(n_grades)

    def forward(self, x):
        return self.head(self.body(x))


def ordinal_loss(logits, grade):
    levels = torch.arange(logits.shape[1], device=logits.device)
    target = (grade.unsqueeze(1) > levels).float()
    return F.binary_cross_entropy_with_logits(logits, target)


def to_grade(logits):
    return (logits > 0).sum(1)
