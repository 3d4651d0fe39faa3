import torch
from torch import nn


class Denoiser(nn.Module):
    """Predicts the clean 8x8 image from a noisy one and its noise level."""

    def __init__(self, width):
        super().__init__()
        self.level = nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width))
        self.enter = nn.Conv2d(1, width, 3, padding=1)
        self.down = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(2 * width, 2 * width, 3, padding=1)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.join = nn.Conv2d(2 * width, width, 3, padding=1)
        self.leave = nn.Conv2d(width, 1, 3, padding=1)
        self.act = nn.SiLU()

    def forward(self, noisy, sigma):
        e = self.level(sigma.log().view(-1, 1) / 4)[:, :, None, None]
        h = self.act(self.enter(noisy / (1 + sigma ** 2).sqrt().view(-1, 1, 1, 1)) + e)
        m = self.act(self.down(h))
        m = self.act(self.mid(m)) + m
        u = self.act(self.up(m))
        return self.leave(self.act(self.join(torch.cat([h, u], 1))))
