import torch


def view(x):
    """Another recording of the same movement: shifted, re-scaled, a bit of sensor noise and tilt."""
    n, c, t = x.shape
    shift = torch.randint(0, t // 2, (n,))
    pad = torch.cat([x, x.flip(-1)], -1)
    idx = shift[:, None] + torch.arange(t)[None]
    x = pad.gather(2, idx[:, None, :].expand(n, c, t))
    x = x * (1 + 0.1 * torch.randn(n, 1, 1))
    x = x + 0.08 * torch.randn(n, c, 1)
    return x + 0.05 * torch.randn_like(x)
