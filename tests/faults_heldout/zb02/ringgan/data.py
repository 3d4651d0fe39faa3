import math
import torch


class Ring:
    """Eight Gaussians on a circle."""

    def __init__(self, modes=8, radius=1.5, std=0.15):
        ang = torch.arange(modes) * (2 * math.pi / modes)
        self.centers = radius * torch.stack([ang.cos(), ang.sin()], dim=1)
        self.std = std

    def sample(self, n, gen=None):
        k = torch.randint(len(self.centers), (n,), generator=gen)
        return self.centers[k] + self.std * torch.randn(n, 2, generator=gen)

    def score(self, pts):
        dist = torch.cdist(pts, self.centers)
        near, which = dist.min(dim=1)
        good = near < 4 * self.std
        share = torch.bincount(which[good], minlength=len(self.centers)).float() / len(pts)
        return (share > 0.02).sum().item(), good.float().mean().item()
