import numpy as np


def concordance(risk, time, event):
    """Harrell's C: share of comparable pairs in the right order."""
    risk, time, event = (np.asarray(v, dtype=float) for v in (risk, time, event))
    earlier = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    right = (risk[:, None] > risk[None, :]) + 0.5 * (risk[:, None] == risk[None, :])
    return float((right * earlier).sum() / earlier.sum())
