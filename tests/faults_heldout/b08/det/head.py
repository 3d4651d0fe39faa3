import math

import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU(), nn.MaxPool2d(2))

    def forward(self, x):
        return self.net(x)


class DenseHead(nn.Module):
    """Shared two-layer tower, then per-cell class scores and box regression (anchor free)."""

    def __init__(self, c_in=32, c=32, n_classes=3, prior=0.01):
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(c_in, c, 3, padding=1), nn.ReLU(),
                                   nn.Conv2d(c, c, 3, padding=1), nn.ReLU())
        self.cls = nn.Conv2d(c, n_classes, 1)
        self.box = nn.Conv2d(c, 4, 1)
        self.reset_parameters(prior)

    def reset_parameters(self, prior):
        # start every location near the foreground prior so that the focal loss is stable
        bias = -math.log((1 - prior) / prior)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.normal_(m.weight, std=0.05)
                nn.init.constant_(m.bias, bias)
        nn.init.zeros_(self.box.bias)

    def forward(self, f):
        t = self.tower(f)
        return self.cls(t), self.box(t)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.head = Backbone(), DenseHead()

    def forward(self, x):
        return self.head(self.backbone(x))


def focal(logits, target, alpha=0.25, gamma=2.0):
    p = logits.sigmoid()
    ce = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    pt = p * target + (1 - p) * (1 - target)
    w = alpha * target + (1 - alpha) * (1 - target)
    return (w * (1 - pt) ** gamma * ce).sum()
