"""Two random views of a batch of 8x8 digits (values 0..1), all on tensors so that a batch is one call."""
import torch
import torch.nn.functional as F


def shift(x, gen, reach=1):
    b = x.size(0)
    padded = F.pad(x, (reach,) * 4)
    off = torch.randint(0, 2 * reach + 1, (b, 2), generator=gen)
    rows = off[:, :1] + torch.arange(8)
    cols = off[:, 1:] + torch.arange(8)
    return padded[torch.arange(b)[:, None, None], 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)


def rotate_scale(x, gen, max_deg=15, jitter=0.12):
    b = x.size(0)
    a = (torch.rand(b, generator=gen) * 2 - 1) * max_deg * torch.pi / 180
    s = 1 + (torch.rand(b, generator=gen) * 2 - 1) * jitter
    theta = torch.zeros(b, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1] = s * a.cos(), -s * a.sin()
    theta[:, 1, 0], theta[:, 1, 1] = s * a.sin(), s * a.cos()
    return F.grid_sample(x, F.affine_grid(theta, list(x.shape), align_corners=False), align_corners=False)


def erase(x, gen, size=2):
    b = x.size(0)
    top = torch.randint(0, 9 - size, (b, 2), generator=gen)
    r, c = torch.arange(8)[None, :, None], torch.arange(8)[None, None, :]
    inside = ((r >= top[:, 0, None, None]) & (r < top[:, 0, None, None] + size)
              & (c >= top[:, 1, None, None]) & (c < top[:, 1, None, None] + size))
    return x.masked_fill(inside[:, None], 0.0)


def make_view(x, gen):
    x = erase(rotate_scale(shift(x, gen), gen), gen)
    gain = 0.7 + 0.6 * torch.rand(x.size(0), 1, 1, 1, generator=gen)
    return x * gain + 0.05 * torch.randn(x.shape, generator=gen)
