import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 7, padding=3)
        self.b1 = nn.Conv1d(width, width, 5, padding=2, stride=2)
        self.b2 = nn.Conv1d(width, 2 * width, 5, padding=2, stride=2)
        self.b3 = nn.Conv1d(2 * width, 2 * width, 3, padding=1, stride=2)
        self.n1, self.n2, self.n3 = nn.GroupNorm(4, width), nn.GroupNorm(4, 2 * width), nn.GroupNorm(4, 2 * width)
        self.dim = 2 * width

    def forward(self, x):
        h = torch.relu(self.stem(x))
        h = torch.relu(self.n1(self.b1(h)))
        h = torch.relu(self.n2(self.b2(h)))
        h = torch.relu(self.n3(self.b3(h)))
        return h.mean(-1)


class FaultClassifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(self.backbone.dim, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))
