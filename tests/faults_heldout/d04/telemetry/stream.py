import numpy as np
import torch


def record(n_lines, length, seed):
    """Packaging lines. A recipe code is sent about every 80 ticks and then rules the response until the next code."""
    rng = np.random.default_rng(seed)
    n_rec = 3
    gain = np.array([1.0, -1.0, 0.2])
    bias = np.array([1.0, -0.2, -1.2])
    x = np.zeros((n_lines, length, 1 + n_rec), dtype=np.float32)
    y = np.zeros((n_lines, length, 1), dtype=np.float32)
    for i in range(n_lines):
        rec, left = 0, 0
        for t in range(length):
            if left == 0:
                rec, left = rng.integers(n_rec), int(rng.integers(50, 110))
                x[i, t, 1 + rec] = 1.0
            left -= 1
            u = rng.normal()
            x[i, t, 0] = u
            y[i, t, 0] = gain[rec] * u + bias[rec] + 0.1 * rng.normal()
    return torch.from_numpy(x), torch.from_numpy(y)


def chunks(x, y, span):
    """Consecutive pieces of the parallel streams, in time order."""
    for s in range(0, x.shape[1] - span + 1, span):
        yield x[:, s:s + span], y[:, s:s + span]
