import torch
from torch import nn


class ActivityNet(nn.Module):
    def __init__(self, n_classes, width=32, dropout=0.2):
        super().__init__()
        self.conv1 = nn.Conv1d(3, width, 5, padding=2)
        self.norm1 = nn.GroupNorm(4, width)
        self.conv2 = nn.Conv1d(width, width, 5, padding=2, stride=2)
        self.norm2 = nn.GroupNorm(4, width)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * width, n_classes)

    def forward(self, x):
        h = torch.relu(self.norm1(self.conv1(x)))
        h = torch.relu(self.norm2(self.conv2(h)))
        pooled = torch.cat([h.mean(dim=2), h.amax(dim=2)], dim=1)
        return self.out(self.drop(pooled))
