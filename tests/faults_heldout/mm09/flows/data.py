import numpy as np
from numpy.random import default_rng


def lorenz_pairs(n, seed):
    """States of a Lorenz-63 trajectory, thinned: a 3-D invariant measure with two lobes."""
    rng = default_rng(seed)
    m = 200
    s = rng.normal(size=(m, 3)) * 5 + np.array([0, 0, 25.0])

    def f(s):
        x, y, z = s.T
        return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)

    out, dt = [], 0.01
    need = -(-n // m)
    for k in range(400 + need * 25):
        a = f(s); b = f(s + dt / 2 * a); c = f(s + dt / 2 * b); d = f(s + dt * c)
        s = s + dt / 6 * (a + 2 * b + 2 * c + d)
        if k >= 400 and (k - 400) % 25 == 0:
            out.append(s + rng.normal(size=s.shape) * 0.5)
    return np.concatenate(out)[:n].astype(np.float32)
