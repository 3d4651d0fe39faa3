import math

import torch


class StrokeAugment:
    """Random rotation about the stroke centre, isotropic scaling and sensor jitter."""

    def __init__(self, rotate_deg=0.0, scale=(1.0, 1.0), jitter=0.0):
        self.rotate = math.radians(rotate_deg)
        self.scale = scale
        self.jitter = jitter

    def __call__(self, xy):
        n = len(xy)
        angle = (2 * torch.rand(n) - 1) * self.rotate
        c, s = angle.cos(), angle.sin()
        rot = torch.stack([torch.stack([c, s], 1), torch.stack([-s, c], 1)], 1)
        lo, hi = self.scale
        size = lo + (hi - lo) * torch.rand(n, 1, 1)
        return size * torch.bmm(xy, rot) + self.jitter * torch.randn_like(xy)
