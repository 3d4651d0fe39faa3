import torch
from torch import nn


class ActivityNet(nn.Module):
    def __init__(self, axes=3, width=24, classes=6, dropout=0.2):
        super().__init__()
        self.conv1 = nn.Conv1d(axes, width, 7, stride=2, padding=3)
        self.conv2 = nn.Conv1d(width, width, 5, stride=2, padding=2)
        self.norm1, self.norm2 = nn.BatchNorm1d(width), nn.BatchNorm1d(width)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        x = torch.relu(self.norm1(self.conv1(x)))
        x = torch.relu(self.norm2(self.conv2(x)))
        return self.out(self.drop(x.mean(-1)))
