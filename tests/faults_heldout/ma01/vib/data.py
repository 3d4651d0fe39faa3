import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load(path, batch_size, val_share=0.25, seed=11):
    blob = np.load(path)
    signals = blob["signals"].astype(np.float32)
    states = blob["states"].astype(np.int64)

    order = np.random.default_rng(seed).permutation(len(signals))
    n_val = int(len(order) * val_share)
    va, tr = order[:n_val], order[n_val:]
    mu, sd = signals[tr].mean(), signals[tr].std()
    signals = (signals - mu) / sd

    def ds(idx):
        return TensorDataset(torch.from_numpy(signals[idx])[:, None], torch.from_numpy(states[idx]))

    return (DataLoader(ds(tr), batch_size=batch_size, shuffle=True, drop_last=True),
            DataLoader(ds(va), batch_size=256))
