import numpy as np
import torch

DAY = 24


def windows(path, history, horizon, valid_days):
    """Hourly demand -> (history + calendar, next horizon) pairs, split in time."""
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    demand, hour, dow = table[:, 0], table[:, 1], table[:, 2]
    cut = len(demand) - valid_days * DAY
    mean, std = demand[:cut].mean(), demand[:cut].std()
    z = (demand - mean) / std
    cal = np.stack([np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12), dow >= 5], 1).astype(np.float32)
    parts = {"train": ([], []), "valid": ([], [])}
    for t in range(history, len(z) - horizon + 1):
        part = "train" if t + horizon <= cut else "valid" if t >= cut else None
        if part:
            parts[part][0].append(np.concatenate([z[t - history:t], cal[t]]))
            parts[part][1].append(z[t:t + horizon])
    return {k: tuple(torch.from_numpy(np.stack(a)) for a in v) for k, v in parts.items()}, float(std)
