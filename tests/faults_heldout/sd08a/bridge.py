"""Simply supported bridge deck under moving axle loads (Euler-Bernoulli closed form)."""
import numpy as np
import torch

SPAN = 24.0          # m
STIFFNESS = 1.7e10   # N m^2


def deflection(points, position, load, stiffness):
    """Deflection in metres at `points` for a point load at `position`."""
    x, a = points[None, :], position[:, None]
    b = SPAN - a
    left = load[:, None] * b * x * (SPAN ** 2 - b ** 2 - x ** 2) / (6 * SPAN * stiffness[:, None])
    xr, br = SPAN - x, a
    right = load[:, None] * br * xr * (SPAN ** 2 - br ** 2 - xr ** 2) / (6 * SPAN * stiffness[:, None])
    return np.where(x <= a, left, right)


def simulate(n, sensors, seed):
    rng = np.random.default_rng(seed)
    points = np.linspace(0, SPAN, sensors + 2)[1:-1]
    position = rng.uniform(2, SPAN - 2, (n, 3))
    load = rng.uniform(20e3, 120e3, (n, 3))
    stiffness = STIFFNESS * rng.uniform(0.8, 1.2, n)
    w = sum(deflection(points, position[:, k], load[:, k], stiffness) for k in range(3))
    w += rng.normal(0, 3e-6, w.shape)
    features = np.column_stack([position / SPAN * 2 - 1, (load - 70e3) / 29e3, (stiffness / STIFFNESS - 1) / 0.115])
    return torch.tensor(features, dtype=torch.float32), torch.tensor(w, dtype=torch.float32)
