import torch
import torch.nn as nn


class FraudNet(nn.Module):
    def __init__(self, n_in, dropout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(dropout),
        )
        self.logit = nn.Linear(32, 1)

    def forward(self, x):
        return self.logit(self.body(x)).squeeze(1)


class FocalLoss:
    """Binary focal loss with a weight for the positive class."""

    def __init__(self, pos_weight, gamma):
        self.pos_weight, self.gamma = pos_weight, gamma

    def __call__(self, logit, target):
        sign = 2 * target - 1
        log_p = -torch.log1p(torch.exp(-(sign * logit).abs())) + torch.clamp(sign * logit, max=0)
        weight = torch.where(target > 0.5, self.pos_weight, torch.ones_like(target))
        return (weight * (1 - log_p.exp()) ** self.gamma * -log_p).mean()
