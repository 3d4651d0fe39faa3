from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


class JetReader:
    """Constituents (log pT share, d-eta, d-phi) plus validity mask; target is the standardised jet mass."""

    def __init__(self, path, seed=0):
        z = np.load(Path(path))
        raw = z["constituents"].astype(np.float32)
        pt = raw[..., 0]
        self.mask = (pt > 0).astype(np.float32)
        share = pt / pt.sum(1, keepdims=True)
        feats = np.stack([np.log(share + 1e-4), share * 10, raw[..., 1] * 5, raw[..., 2] * 5,
                          np.log(np.repeat(pt.sum(1, keepdims=True), pt.shape[1], 1)) - 6.2], axis=-1)
        self.x = feats * self.mask[..., None]
        self.mass = z["mass"]
        order = np.random.default_rng(seed).permutation(len(raw))
        cut = int(0.8 * len(order))
        self.parts = {"train": order[:cut], "val": order[cut:]}
        train_mass = self.mass[self.parts["train"]]
        self.loc, self.scale = float(train_mass.mean()), float(train_mass.std())

    def loader(self, part, batch, shuffle=False):
        i = self.parts[part]
        target = (self.mass[i] - self.loc) / self.scale
        ds = TensorDataset(*map(torch.from_numpy, (self.x[i], self.mask[i], target.astype(np.float32))))
        return DataLoader(ds, batch, shuffle=shuffle)
