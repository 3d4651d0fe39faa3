import torch
from torch import nn


class ResidualUnit(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class GradeNet(nn.Module):
    def __init__(self, points, grades, width=96, depth=2, drop=0.2):
        super().__init__()
        self.stem = nn.Linear(points, width)
        self.body = nn.Sequential(*[ResidualUnit(width) for _ in range(depth)])
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(width, grades)

    def forward(self, x):
        return self.out(self.drop(self.body(self.drop(self.stem(x)))))
