import torch
from torch import nn

from .quant import QuantConv


def stage(i, o, stride):
    return nn.Sequential(QuantConv(i, o, 5, stride=stride, padding=2, bias=False), nn.GroupNorm(4, o), nn.ReLU())


class HitNet(nn.Module):
    def __init__(self, width, kinds):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(2, width, 7, padding=3), nn.GroupNorm(4, width), nn.ReLU(),
                                  stage(width, width, 2), stage(width, 2 * width, 2), stage(2 * width, 2 * width, 2))
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(2 * width * 8, 64), nn.ReLU())
        self.kind = nn.Linear(64, kinds)
        self.pitch = nn.Linear(64, 1)
        self.onset = nn.Linear(64, 1)

    def forward(self, x):
        h = self.neck(self.body(x))
        return self.kind(h), self.pitch(h).squeeze(1), self.onset(h).squeeze(1)
