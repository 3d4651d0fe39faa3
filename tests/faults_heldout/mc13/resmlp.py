import torch
from torch import nn


class ResidualUnit(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, width)
        self.down = nn.Linear(width, width)
        self.drop = nn.Dropout(drop)
        nn.init.zeros_(self.down.bias)
        with torch.no_grad():
            self.down.weight.mul_(0.3)

    def forward(self, x):
        return x + self.drop(self.down(torch.relu(self.up(self.norm(x)))))


class ResMLP(nn.Module):
    def __init__(self, d_in, d_out, width=32, depth=18, drop=0.15):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.units = nn.ModuleList([ResidualUnit(width, drop) for _ in range(depth)])
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, d_out))

    def forward(self, x):
        x = self.stem(x)
        for u in self.units:
            x = u(x)
        return self.head(x)
