import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=32, embed=12):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        self.conv3 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.proj = nn.Linear(2 * width * 4, embed)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = self.pool(torch.relu(self.conv2(x)))
        x = self.pool(torch.relu(self.conv3(x)))
        return self.proj(x.flatten(1))


class MeterReader(nn.Module):
    """Pretrained digit backbone with a small head for the customer's dials."""

    def __init__(self, classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(self.backbone.proj.out_features, classes)

    def forward(self, x):
        return self.head(torch.tanh(self.backbone(x)))
