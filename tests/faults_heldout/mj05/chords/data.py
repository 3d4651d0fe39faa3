from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

FILE = Path(__file__).parent.parent / "clips.npz"


def spectra(wave):
    x = torch.from_numpy(wave).float() / 127
    window = torch.hann_window(x.shape[1])
    return torch.log1p(torch.fft.rfft(x * window, n=512).abs())[:, 30:160]


def build_sets(n_train=800):
    z = np.load(FILE)
    x = spectra(z["wave"])
    y = torch.from_numpy(z["chord"]).long()
    mean, std = x[:n_train].mean(0), x[:n_train].std(0)
    x = (x - mean) / std
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:]), list(z["names"])


def build_loader(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, shuffle=True)
