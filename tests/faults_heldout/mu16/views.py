import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits


def load(seed):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16.0
    y = torch.tensor(d.target)
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(len(x), generator=g)
    x, y = x[perm], y[perm]
    return (x[:1400], y[:1400]), (x[1400:], y[1400:])


def random_view(x):
    """Small affine jitter, contrast change and pixel noise."""
    n = len(x)
    ang = (torch.rand(n) - 0.5) * 0.5
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    shift = (torch.rand(n, 2) - 0.5) * 0.35
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = scale * ang.cos()
    theta[:, 0, 1] = -scale * ang.sin()
    theta[:, 1, 0] = scale * ang.sin()
    theta[:, 1, 1] = scale * ang.cos()
    theta[:, :, 2] = shift
    out = F.grid_sample(x, F.affine_grid(theta, list(x.shape), align_corners=False), align_corners=False)
    gain = 0.7 + 0.6 * torch.rand(n, 1, 1, 1)
    return out * gain + 0.05 * torch.randn_like(out)
