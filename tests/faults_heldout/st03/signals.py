import math
import torch


def beats(n, length=96, generator=None):
    """Synthetic single-lead heart beats: P, QRS and T waves with varied timing."""
    t = torch.linspace(0, 1, length).unsqueeze(0)

    def u(lo, hi):
        return lo + (hi - lo) * torch.rand(n, 1, generator=generator)

    def bump(centre, width, height):
        return height * torch.exp(-0.5 * ((t - centre) / width) ** 2)

    r = u(0.35, 0.5)
    x = bump(r - u(0.14, 0.2), u(0.02, 0.03), u(0.1, 0.3))
    x = x + bump(r, u(0.012, 0.02), u(1.0, 1.8))
    x = x - bump(r - 0.035, 0.012, u(0.1, 0.35)) - bump(r + 0.04, 0.015, u(0.2, 0.6))
    x = x + bump(r + u(0.22, 0.32), u(0.04, 0.06), u(0.2, 0.6))
    return x + u(-0.1, 0.1) * torch.sin(2 * math.pi * (t + u(0, 1)))
