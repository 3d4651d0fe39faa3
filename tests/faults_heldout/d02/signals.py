import math

import torch

N_SITES = 40


def _proto(n, seed):
    g = torch.Generator().manual_seed(seed)
    freq = 2 + 10 * torch.rand(n, 3, 2, generator=g)
    amp = 0.4 + torch.rand(n, 3, 2, generator=g)
    return freq, amp


def windows(kind, n, seed, length=96):
    """kind 'source': 40 gestures of the lab study; 'target': 10 gestures of the field study (other mixtures)."""
    freq, amp = _proto(N_SITES, 5)
    if kind == "target":
        pick = torch.arange(0, 40, 4)
        freq, amp = freq[pick] * 1.03, amp[pick] * 0.95
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(len(freq), (n,), generator=g)
    t = torch.linspace(0, 1, length)
    phase = 2 * math.pi * torch.rand(n, 3, 2, 1, generator=g)
    wave = torch.sin(2 * math.pi * freq[y].unsqueeze(-1) * t + phase) * amp[y].unsqueeze(-1)
    x = wave.sum(2) + 0.8 * torch.randn(n, 3, length, generator=g)
    return x, y
