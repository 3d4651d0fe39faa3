import torch
from torch import nn


class ChurnNet(nn.Module):
    """Raw counters go in; the input BatchNorm takes care of their ranges."""

    def __init__(self, counts, plans, hidden=48, plan_dim=4, dropout=0.1):
        super().__init__()
        self.scale = nn.BatchNorm1d(counts)
        self.plan = nn.Embedding(plans, plan_dim)
        self.body = nn.Sequential(
            nn.Linear(counts + plan_dim, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, counts, plan):
        x = torch.cat([self.scale(counts), self.plan(plan)], dim=1)
        return self.body(x).squeeze(1)
