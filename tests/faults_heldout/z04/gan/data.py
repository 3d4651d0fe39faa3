import math

import torch


class RingMixture:
    """Eight Gaussians on a circle."""

    def __init__(self, modes=8, radius=2.0, std=0.08):
        ang = torch.arange(modes) * (2 * math.pi / modes)
        self.centres = torch.stack([ang.cos(), ang.sin()], 1) * radius
        self.std = std

    def sample(self, n):
        k = torch.randint(0, len(self.centres), (n,))
        return self.centres[k] + self.std * torch.randn(n, 2)
