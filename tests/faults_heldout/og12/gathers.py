import torch


class GatherPatches:
    """Synthetic hyperbolic events on a 32 x 32 patch, with random trace noise."""

    def __init__(self, seed, size=32, noise=0.35):
        self.g = torch.Generator().manual_seed(seed)
        self.size, self.noise = size, noise
        self.t = torch.arange(size).view(1, 1, size, 1).float()
        self.x = torch.arange(size).view(1, 1, 1, size).float()

    def _u(self, n, lo, hi):
        return lo + (hi - lo) * torch.rand(n, 3, 1, 1, generator=self.g)

    def sample(self, n):
        t0, x0 = self._u(n, 2, 28), self._u(n, -10, 42)
        vel, amp = self._u(n, 1.0, 2.5), self._u(n, -1, 1)
        arrival = (t0 ** 2 + ((self.x - x0) / vel) ** 2).sqrt()
        arg = ((self.t - arrival) / 2.0) ** 2
        clean = (amp * (1 - 2 * arg) * torch.exp(-arg)).sum(1, keepdim=True)
        noisy = clean + self.noise * torch.randn(clean.shape, generator=self.g)
        return clean, noisy
