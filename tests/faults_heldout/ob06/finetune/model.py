import torch
from torch import nn


class DigitEncoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.block1 = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.block2 = nn.Sequential(
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.GroupNorm(8, 2 * width), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(8 * width, 10)

    def forward(self, x):
        h = self.block2(self.block1(self.stem(x)))
        return self.head(h.flatten(1))


def freeze(model, names):
    """Freeze the named children, including their batch-norm statistics."""
    for name in names:
        child = getattr(model, name)
        child.eval()
        for p in child.parameters():
            p.requires_grad_(False)
