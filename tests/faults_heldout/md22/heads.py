import torch
from torch import nn
import torch.nn.functional as F


class OrdinalHead(nn.Module):
    """P(grade > k) = sigmoid(score - cut_k) with ordered cuts"""

    def __init__(self, d, k):
        super().__init__()
        self.score = nn.Linear(d, 1, bias=False)
        self.first = nn.Parameter(torch.tensor(-1.5))
        self.gap = nn.Parameter(torch.full((k - 2,), 0.5))

    def forward(self, h):
        cuts = torch.cat([self.first[None], self.first + F.softplus(self.gap).cumsum(0)])
        return self.score(h) - cuts


class EssayModel(nn.Module):
    def __init__(self, d, grades, h=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Dropout(0.1), nn.Linear(h, h), nn.GELU())
        self.grade = OrdinalHead(h, grades)
        self.duration = nn.Linear(h, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.grade(h), self.duration(h).squeeze(1)


def ordinal_loss(logits, y):
    above = (y[:, None] > torch.arange(logits.shape[1])).float()
    return F.binary_cross_entropy_with_logits(logits, above)
