import torch
import torch.nn.functional as F


def _shift(x, max_px, gen):
    n = len(x)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = 1
    theta[:, :, 2] = (torch.rand(n, 2, generator=gen) * 2 - 1) * max_px * 2 / x.shape[-1]
    return F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)


def weak(x, gen):
    return _shift(x, 0.4, gen)


def strong(x, gen):
    """Larger shift, contrast change, noise and one erased 3x3 patch."""
    n, _, h, w = x.shape
    x = _shift(x, 0.8, gen)
    x = x * (0.7 + 0.6 * torch.rand(n, 1, 1, 1, generator=gen))
    r = torch.randint(0, h - 2, (n, 1, 1), generator=gen)
    c = torch.randint(0, w - 2, (n, 1, 1), generator=gen)
    rows, cols = torch.arange(h)[None, :, None], torch.arange(w)[None, None, :]
    hole = (rows >= r) & (rows < r + 3) & (cols >= c) & (cols < c + 3)
    x = x.masked_fill(hole[:, None], 0.0)
    return x + 0.1 * torch.randn(x.shape, generator=gen)
