import math

import torch


class WaveformStream:
    """Endless labelled/unlabelled waveforms: sine, square, saw and chirp at random pitch."""

    def __init__(self, length=192, labelled_fraction=0.25, seed=0):
        self.length = length
        self.labelled_fraction = labelled_fraction
        self.g = torch.Generator().manual_seed(seed)

    def batch(self, n):
        t = torch.arange(self.length) / self.length
        y = torch.randint(0, 4, (n,), generator=self.g)
        f = 3 + 6 * torch.rand(n, 1, generator=self.g)
        ph = (f * t + torch.rand(n, 1, generator=self.g)) % 1.0
        sine = torch.sin(2 * math.pi * ph)
        square = torch.sign(sine)
        saw = 2 * ph - 1
        chirp = torch.sin(2 * math.pi * f * (0.4 + 1.2 * t) * t)
        x = torch.stack([sine, square, saw, chirp])[y, torch.arange(n)]
        labelled = torch.rand(n, generator=self.g) < self.labelled_fraction
        return x.unsqueeze(1), y, labelled

    def noisy(self, x, sigma):
        return x + sigma * torch.randn(x.shape, generator=self.g)
