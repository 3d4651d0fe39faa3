import numpy as np
import torch


def make(n, seed):
    """Discs: predict radius (px), quadrant and contrast sign from one noisy image."""
    g = np.random.default_rng(seed)
    yy, xx = np.mgrid[:20, :20]
    X, rad, quad, sign = [], [], [], []
    for _ in range(n):
        cy, cx, r = g.uniform(5, 14), g.uniform(5, 14), g.uniform(2, 6)
        s = g.choice([-1, 1])
        X.append(s * ((yy - cy) ** 2 + (xx - cx) ** 2 < r * r) + g.normal(0, .3, (20, 20)))
        rad.append(r)
        quad.append(2 * (cy > 9.5) + (cx > 9.5))
        sign.append((s + 1) // 2)
    return (torch.tensor(np.array(X), dtype=torch.float32)[:, None], torch.tensor(rad, dtype=torch.float32),
            torch.tensor(np.array(quad)).long(), torch.tensor(sign, dtype=torch.float32))
