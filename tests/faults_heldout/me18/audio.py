"""Synthetic instrument tones and their log-mel features."""
import math

import torch

RATE, SECONDS, BANDS = 4000, 0.4, 24
NAMES = ["organ", "pluck", "bell", "reed", "sweep", "flutter"]


def tone(kind, g):
    n = int(RATE * SECONDS)
    t = torch.arange(n) / RATE
    u = lambda a, b: a + (b - a) * torch.rand((), generator=g).item()
    f, ph = u(160, 420), u(0, 6.28)
    w = 2 * math.pi * f
    if kind == 0:
        x = sum(torch.sin(k * w * t + ph) / k for k in (1, 2, 4))
    elif kind == 1:
        x = sum(torch.sin(k * w * t + ph) / k * torch.exp(-t * u(7, 11) * k) for k in (1, 2, 3)) * 1.6
    elif kind == 2:
        x = sum(torch.sin(r * w * t + ph) * torch.exp(-t * u(4, 7)) for r in (1.0, 2.76, 4.1))
    elif kind == 3:
        x = sum(torch.sin(k * w * t + ph) / k for k in (1, 3, 5))
    elif kind == 4:
        x = torch.sin(w * t * (1 + u(0.5, 1.2) * t) + ph) + 0.4 * torch.sin(2 * w * t * (1 + 0.8 * t))
    else:
        x = sum(torch.sin(k * w * t + ph) / k for k in (1, 2, 4)) * (1 + 0.7 * torch.sin(2 * math.pi * u(9, 14) * t))
    x = x * min(1.0, u(0.5, 1.2))
    return x + u(0.25, 0.9) * torch.randn(n, generator=g)


def mel_bank(n_fft):
    hz = torch.linspace(0, RATE / 2, n_fft // 2 + 1)
    mel = lambda h: 2595 * math.log10(1 + h / 700)
    edges = torch.linspace(mel(60), mel(RATE / 2), BANDS + 2)
    edges = 700 * (10 ** (edges / 2595) - 1)
    up = (hz[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - hz[:, None]) / (edges[2:] - edges[1:-1])
    return torch.minimum(up, down).clamp(min=0)


def features(wave, n_fft=256, hop=80):
    spec = torch.stft(wave, n_fft, hop, window=torch.hann_window(n_fft), return_complex=True).abs().square()
    return (spec.transpose(1, 2) @ mel_bank(n_fft) + 1e-4).log().transpose(1, 2)      # (N, bands, frames)


def dataset(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(len(NAMES), (n,), generator=g)
    return features(torch.stack([tone(int(k), g) for k in y])), y
