import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 24, 3, padding=1)
        self.conv2 = nn.Conv2d(24, 48, 3, padding=1)
        self.conv3 = nn.Conv2d(48, 64, 3, padding=1)
        self.proj = nn.Linear(64 * 4, dim)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = nn.functional.max_pool2d(torch.relu(self.conv3(x)), 2)
        return torch.relu(self.proj(x.flatten(1)))


class Classifier(nn.Module):
    def __init__(self, backbone, n_out):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(backbone.proj.out_features, n_out)

    def forward(self, x):
        return self.head(self.backbone(x))
