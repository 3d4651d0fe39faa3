"""Beats as windows of 96 samples, stored as int8 in npz; splits are by patient."""
import numpy as np
import torch


def load(path="beats.npz"):
    z = np.load(path)
    x = torch.from_numpy(z["signal"].astype(np.float32))
    y = torch.from_numpy(z["kind"].astype(np.int64))
    held = torch.from_numpy(np.isin(z["patient"], z["held_out"]))
    x = (x - x[~held].mean()) / x[~held].std()
    return (x[~held], y[~held]), (x[held], y[held]), [str(s) for s in z["names"]]
