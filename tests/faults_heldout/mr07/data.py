import math

import torch


class EightGaussians:
    """Eight tight clusters on a circle of radius 2."""

    def __init__(self, std=0.12, radius=2.0):
        angles = torch.arange(8) * (2 * math.pi / 8)
        self.centers = radius * torch.stack([angles.cos(), angles.sin()], dim=1)
        self.std = std

    def sample(self, n):
        which = torch.randint(0, 8, (n,))
        return self.centers[which] + self.std * torch.randn(n, 2)
