from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class FeederData:
    inputs: torch.Tensor   # (feeders, hours, features)
    targets: torch.Tensor  # (feeders, hours), scaled load of the next hour
    center: torch.Tensor   # (feeders, 1)
    scale: torch.Tensor    # (feeders, 1)
    split: int

    def to_kilowatt(self, scaled):
        return scaled * self.scale + self.center


def calendar(hours):
    hour, day = hours % 24, (hours // 24) % 7
    angle_h, angle_d = 2 * np.pi * hour / 24, 2 * np.pi * day / 7
    return np.stack([np.sin(angle_h), np.cos(angle_h), np.sin(angle_d), np.cos(angle_d)], axis=-1)


def load_feeders(path, train_hours):
    """One column per feeder, one row per hour, kilowatts."""
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32).T
    fit = table[:, :train_hours]
    center = np.median(fit, axis=1, keepdims=True)
    high, low = np.percentile(fit, [90, 10], axis=1, keepdims=True)
    scale = ((high - low) / 2).astype(np.float32)
    scaled = (table - center) / scale
    feeders, hours = scaled.shape
    next_hour = calendar(np.arange(1, hours)).astype(np.float32)
    inputs = np.concatenate([scaled[:, :-1, None], np.broadcast_to(next_hour, (feeders, hours - 1, 4))], axis=-1)
    return FeederData(torch.from_numpy(inputs), torch.from_numpy(scaled[:, 1:]),
                      torch.from_numpy(center), torch.from_numpy(scale), train_hours - 1)
