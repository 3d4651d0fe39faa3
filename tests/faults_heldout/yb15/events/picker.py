import torch
from torch import nn


class Down(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv1d(a, b, 7, stride=2, padding=3), nn.BatchNorm1d(b), nn.ReLU())


class Up(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(
            nn.ConvTranspose1d(a, b, 4, stride=2, padding=1, bias=False), nn.BatchNorm1d(b), nn.ReLU()
        )


class Picker(nn.Module):
    """Small 1-d U-Net returning one logit per sample of the trace."""

    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU())
        self.down1 = Down(width, 2 * width)
        self.down2 = Down(2 * width, 4 * width)
        self.up2 = Up(4 * width, 2 * width)
        self.up1 = Up(4 * width, width)
        self.out = nn.Conv1d(2 * width, 1, 5, padding=2)

    def forward(self, x):
        s = self.stem(x)
        d1 = self.down1(s)
        d2 = self.down2(d1)
        u = self.up2(d2)
        u = self.up1(torch.cat([u, d1], 1))
        return self.out(torch.cat([u, s], 1)).squeeze(1)
