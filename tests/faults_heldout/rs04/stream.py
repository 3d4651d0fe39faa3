import numpy as np
import torch


def read_tanks(path):
    z = np.load(path)
    u = torch.from_numpy(z["inflow"].astype(np.float32))
    y = torch.from_numpy(z["level"].astype(np.float32))
    return u, y


def windows(u, y, size):
    """Consecutive windows over all tanks, oldest first."""
    for s in range(0, u.shape[1] - size + 1, size):
        yield u[:, s:s + size], y[:, s:s + size]
