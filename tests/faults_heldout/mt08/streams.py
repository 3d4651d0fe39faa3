"""Packet streams of machine controllers. A rare mode packet decides how the following command packets act."""
import numpy as np
import torch

N_MODES = 4
N_CMD = 4
VOCAB = N_CMD + N_MODES


def record(n_streams, length, rng, p_mode=0.03):
    tok = rng.integers(0, N_CMD, (n_streams, length))
    is_mode = rng.random((n_streams, length)) < p_mode
    tok[is_mode] = N_CMD + rng.integers(0, N_MODES, is_mode.sum())
    out = np.zeros_like(tok)
    mode = np.zeros(n_streams, dtype=int)
    for t in range(length):
        m = is_mode[:, t]
        mode[m] = tok[m, t] - N_CMD
        out[:, t] = np.where(m, N_CMD, (tok[:, t] + mode) % N_CMD)
    return torch.tensor(tok), torch.tensor(out)


def windows(tok, out, size):
    """Consecutive windows over all streams at once."""
    for k in range(0, tok.shape[1], size):
        yield tok[:, k:k + size], out[:, k:k + size]
