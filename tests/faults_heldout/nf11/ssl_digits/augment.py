import torch
import torch.nn.functional as F


def jitter(x):
    n = x.size(0)
    # small affine warp: rotation up to ~12 degrees, scale 0.9-1.1, shift up to one pixel
    ang = (torch.rand(n) - 0.5) * 0.42
    sc = 1 + (torch.rand(n) - 0.5) * 0.2
    tx, ty = ((torch.rand(2, n) - 0.5) * 0.5)
    theta = torch.stack(
        [torch.stack([sc * ang.cos(), -sc * ang.sin(), tx], 1), torch.stack([sc * ang.sin(), sc * ang.cos(), ty], 1)], 1
    )
    x = F.grid_sample(x, F.affine_grid(theta, list(x.shape), align_corners=False), align_corners=False)
    x = x * (1 + 0.4 * (torch.rand(n, 1, 1, 1) - 0.5))
    return x + 0.08 * torch.randn_like(x)


def two_views(x):
    return jitter(x), jitter(x)
