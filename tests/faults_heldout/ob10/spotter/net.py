import torch
from torch import nn


def conv(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU())


class Spotter(nn.Module):
    def __init__(self, width, canvas, classes):
        super().__init__()
        self.trunk = nn.Sequential(
            conv(1, width), nn.MaxPool2d(2), conv(width, 2 * width), nn.MaxPool2d(2), conv(2 * width, 2 * width)
        )
        self.cls = nn.Linear(4 * width, classes)
        self.box = nn.Sequential(
            nn.Flatten(), nn.Linear(2 * width * (canvas // 4) ** 2, 64), nn.ReLU(), nn.Linear(64, 4)
        )

    def forward(self, x):
        h = self.trunk(x)
        pooled = torch.cat([h.mean((2, 3)), h.amax((2, 3))], dim=1)
        return self.cls(pooled), self.box(h)
