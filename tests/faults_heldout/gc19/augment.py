import torch
import torch.nn.functional as F


def random_view(x):
    """Small affine jitter, gain and pixel noise for 8x8 scans."""
    n = len(x)
    ang = (torch.rand(n) - 0.5) * 0.5
    s = 1 + (torch.rand(n) - 0.5) * 0.3
    shift = (torch.rand(n, 2) - 0.5) * 0.4
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = s * ang.cos()
    theta[:, 0, 1] = -s * ang.sin()
    theta[:, 1, 0] = s * ang.sin()
    theta[:, 1, 1] = s * ang.cos()
    theta[:, :, 2] = shift
    grid = F.affine_grid(theta, x.shape, align_corners=False)
    out = F.grid_sample(x, grid, align_corners=False)
    gain = 0.8 + 0.4 * torch.rand(n, 1, 1, 1)
    return out * gain + 0.05 * torch.randn_like(out)
