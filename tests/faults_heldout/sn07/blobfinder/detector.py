import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, ch, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(2 * ch, 2 * ch, 3, padding=1), nn.ReLU(),
        )
        self.box = nn.Sequential(nn.Flatten(), nn.Linear(2 * ch * 36, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, x):
        return self.box(self.features(x)).sigmoid()


def iou(p, t):
    lo = torch.maximum(p[:, :2] - p[:, 2:], t[:, :2] - t[:, 2:])
    hi = torch.minimum(p[:, :2] + p[:, 2:], t[:, :2] + t[:, 2:])
    inter = (hi - lo).clamp(min=0).prod(1)
    area = lambda b: 4 * b[:, 2] * b[:, 3]
    return inter / (area(p) + area(t) - inter)
