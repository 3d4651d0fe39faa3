import torch
from torch import nn


class StrandNet(nn.Module):
    """Two convolutions, global max pooling, dense read-out."""

    def __init__(self, filters, width, dropout, classes=3):
        super().__init__()
        self.scan = nn.Conv1d(4, filters, width, padding=width // 2)
        self.bn = nn.BatchNorm1d(filters)
        self.combine = nn.Conv1d(filters, filters, 7, padding=3)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(filters, classes)

    def forward(self, x):
        x = torch.relu(self.bn(self.scan(x)))
        x = nn.functional.max_pool1d(x, 2)
        x = torch.relu(self.combine(x))
        return self.out(self.drop(x.amax(dim=2)))
