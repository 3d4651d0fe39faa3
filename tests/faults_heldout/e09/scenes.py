import numpy as np


def render(n, seed, size=24, cell=2):
    """Noisy images with zero to two small plus signs; heatmap targets on a size/cell grid plus sub-cell offsets."""
    rng = np.random.default_rng(seed)
    g = size // cell
    img = rng.normal(0, 0.35, (n, 1, size, size)).astype(np.float32)
    heat = np.zeros((n, g, g), np.float32)
    off = np.zeros((n, 2, g, g), np.float32)
    for i in range(n):
        for _ in range(rng.integers(0, 3)):
            r, c = rng.integers(2, size - 2, 2)
            a = rng.uniform(1.0, 1.8)
            img[i, 0, r - 2:r + 3, c] += a
            img[i, 0, r, c - 2:c + 3] += a
            heat[i, r // cell, c // cell] = 1
            off[i, :, r // cell, c // cell] = (r % cell, c % cell)
        for _ in range(rng.integers(0, 3)):      # plain bars as distractors
            r, c = rng.integers(2, size - 2, 2)
            a = rng.uniform(1.0, 1.8)
            if rng.random() < 0.5:
                img[i, 0, r - 2:r + 3, c] += a
            else:
                img[i, 0, r, c - 2:c + 3] += a
    return img, heat, off
