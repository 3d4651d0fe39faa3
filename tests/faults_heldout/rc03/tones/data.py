import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from .features import Scaler, spectrogram


def make_loaders(cfg):
    z = np.load(cfg.path)
    order = np.random.default_rng(cfg.split_seed).permutation(len(z["kind"]))
    n_val = int(cfg.val_fraction * len(order))
    val_ids, train_ids = order[:n_val], order[n_val:]

    x_train = spectrogram(z["wave"][train_ids], cfg.win, cfg.hop, preemph=cfg.preemph)
    scaler = Scaler().fit(x_train)
    x_val = spectrogram(z["wave"][val_ids], cfg.win, cfg.hop)

    kind = torch.from_numpy(z["kind"].astype(np.int64))
    train = TensorDataset(torch.from_numpy(scaler(x_train)), kind[train_ids])
    val = TensorDataset(torch.from_numpy(scaler(x_val)), kind[val_ids])
    return (DataLoader(train, batch_size=cfg.batch_size, shuffle=True),
            DataLoader(val, batch_size=256))
