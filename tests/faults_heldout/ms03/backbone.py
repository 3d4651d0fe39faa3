import torch
from torch import nn


def block(c_in, c_out, pool):
    layers = [nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU()]
    if pool:
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers)


class Backbone(nn.Module):
    """Small conv net for 8x8 grey images, 32 features."""

    def __init__(self):
        super().__init__()
        self.stem = block(1, 16, pool=False)
        self.stage1 = block(16, 24, pool=True)
        self.stage2 = block(24, 32, pool=True)

    def forward(self, x):
        return self.stage2(self.stage1(self.stem(x))).flatten(2).mean(2)


class Classifier(nn.Module):
    def __init__(self, backbone, n_classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))
