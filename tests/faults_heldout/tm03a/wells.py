"""Simulated phase-contrast crops with cell masks, 8-bit like the camera delivers them."""
import numpy as np

S = 32


def _smooth(rng, sigma):
    f = np.fft.fftfreq(S)
    k = np.exp(-2 * (np.pi * sigma) ** 2 * (f[:, None] ** 2 + f[None] ** 2))
    z = np.real(np.fft.ifft2(np.fft.fft2(rng.normal(size=(S, S))) * k))
    return z / z.std()


def make_crop(rng):
    yy, xx = np.mgrid[0:S, 0:S]
    mask = np.zeros((S, S), bool)
    for _ in range(rng.integers(1, 5)):
        cy, cx = rng.uniform(3, S - 3, 2)
        a, b = rng.uniform(2.5, 5.5, 2)
        th = rng.uniform(0, np.pi)
        u = (xx - cx) * np.cos(th) + (yy - cy) * np.sin(th)
        v = -(xx - cx) * np.sin(th) + (yy - cy) * np.cos(th)
        mask |= (u / a) ** 2 + (v / b) ** 2 < 1
    background = 96 + 12 * _smooth(rng, 8)
    grain = 22 * _smooth(rng, 0.8)
    img = background + np.where(mask, 14 + grain, 5 * rng.normal(size=(S, S))) + 4 * rng.normal(size=(S, S))
    return np.clip(img, 0, 255).astype(np.uint8), mask


def make_set(n, seed):
    rng = np.random.default_rng(seed)
    crops = [make_crop(rng) for _ in range(n)]
    return np.stack([c[0] for c in crops]), np.stack([c[1] for c in crops])
