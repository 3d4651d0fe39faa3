import torch
from torch import nn


def block(c_in, c_out, dropout):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.ReLU(), nn.Dropout2d(dropout),
        nn.Conv2d(c_out, c_out, 3, padding=1), nn.ReLU(), nn.Dropout2d(dropout),
    )


class SmallUNet(nn.Module):
    """Two levels, skip connection by concatenation, one logit per pixel."""

    def __init__(self, width, dropout):
        super().__init__()
        self.top = block(1, width, dropout)
        self.bottom = block(width, 2 * width, dropout)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.merge = block(2 * width, width, dropout)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        top = self.top(x)
        low = self.bottom(self.pool(top))
        return self.out(self.merge(torch.cat([top, self.up(low)], dim=1)))
