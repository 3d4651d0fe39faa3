"""Recordings are one CSV: one row per sample, `window` groups the samples.

The logger writes `-` when it drops a sample; such gaps hold the last value.
"""
import numpy as np
import pandas as pd
import torch
from torch.utils.data import TensorDataset


def read_log(path, sep, axes):
    log = pd.read_csv(path, sep=sep)
    for axis in axes:
        log[axis] = pd.to_numeric(log[axis], errors="coerce").ffill().fillna(0.0)
    return log


def to_windows(log, axes):
    groups = log.groupby("window", sort=True)
    x = np.stack([g[axes].to_numpy(np.float32).T for _, g in groups])
    y = groups["cavitation"].first().to_numpy(np.int64)
    pump = groups["pump"].first().to_numpy()
    return x, y, pump


def load_recordings(cfg):
    axes = cfg["axes"]
    log = read_log(cfg["path"], cfg["sep"], axes)
    x, y, pump = to_windows(log, axes)

    held_out = np.isin(pump, cfg["test_pumps"])
    mean = x[~held_out].mean(axis=(0, 2), keepdims=True)
    std = x[~held_out].std(axis=(0, 2), keepdims=True) + 1e-6
    x = (x - mean) / std

    def subset(mask):
        return TensorDataset(torch.from_numpy(x[mask]), torch.from_numpy(y[mask]))

    return subset(~held_out), subset(held_out)
