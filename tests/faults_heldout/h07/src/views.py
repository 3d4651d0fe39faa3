import torch
import torch.nn.functional as F


def shift(x, k=1):
    n = len(x)
    p = F.pad(x, (k, k, k, k))
    ys = torch.randint(0, 2 * k + 1, (n,))
    xs = torch.randint(0, 2 * k + 1, (n,))
    r = torch.arange(8)
    rows = (ys[:, None] + r)[:, :, None]
    cols = (xs[:, None] + r)[:, None, :]
    return p[torch.arange(n)[:, None, None], 0, rows, cols].unsqueeze(1)


def rotate_scale(x, degrees=15.0, zoom=0.12):
    n = len(x)
    a = (torch.rand(n) * 2 - 1) * degrees * torch.pi / 180
    s = 1 + (torch.rand(n) * 2 - 1) * zoom
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1] = torch.cos(a) * s, -torch.sin(a) * s
    theta[:, 1, 0], theta[:, 1, 1] = torch.sin(a) * s, torch.cos(a) * s
    return F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)


def view(x):
    x = rotate_scale(shift(x))
    x = x * (0.7 + 0.6 * torch.rand(len(x), 1, 1, 1))
    return x + 0.08 * torch.randn_like(x)
