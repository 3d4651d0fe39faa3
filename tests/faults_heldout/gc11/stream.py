"""Synthetic telegram stream: command symbols are rare, the mode they set holds until the next one."""
import numpy as np
import torch


def telegram(length, n_modes=4, n_fill=6, gap=50, seed=0):
    rng = np.random.default_rng(seed)
    sym = rng.integers(n_modes, n_modes + n_fill, size=length)
    mode = np.zeros(length, dtype=np.int64)
    current, t = 0, 0
    sym[0] = 0
    nxt = rng.integers(gap // 2, gap * 3 // 2)
    for t in range(length):
        if t == nxt:
            current = int(rng.integers(n_modes))
            sym[t] = current
            nxt = t + rng.integers(gap // 2, gap * 3 // 2)
        mode[t] = current
    return torch.from_numpy(sym), torch.from_numpy(mode)


def lanes(seq, n_lanes):
    """Cut one stream into n_lanes contiguous pieces, shape (lane, time)."""
    keep = len(seq) // n_lanes * n_lanes
    return seq[:keep].reshape(n_lanes, -1)
