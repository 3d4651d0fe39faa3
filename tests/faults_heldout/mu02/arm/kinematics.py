import numpy as np

LINKS = np.array([0.5, 0.4, 0.3, 0.2])


def simulate(n, seed):
    """Four-joint planar arm on a tilting base: joint angles -> reach, height and gripper distance to a post."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.6, 1.6, (n, 4))
    tilt = rng.uniform(-0.4, 0.4, n)
    total = np.cumsum(q, axis=1) + tilt[:, None]
    px = (LINKS * np.cos(total)).sum(1)
    py = (LINKS * np.sin(total)).sum(1)
    post = np.hypot(px - 0.6, py - 0.5)
    y = np.stack([px, py, post], 1) + rng.normal(0, 0.01, (n, 3))
    x = np.column_stack([q, tilt])
    return x.astype(np.float32), y.astype(np.float32)


class Standardizer:
    def __init__(self, a):
        self.mean, self.std = a.mean(0), a.std(0)

    def __call__(self, a):
        return (a - self.mean) / self.std
