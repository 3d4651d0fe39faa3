"""Loading of the near-infrared flour spectra and the reference chemistry."""
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import TensorDataset


def snv(spectra: np.ndarray) -> np.ndarray:
    """Standard normal variate: removes the scatter of every single spectrum."""
    centred = spectra - spectra.mean(axis=1, keepdims=True)
    return centred / centred.std(axis=1, keepdims=True)


@dataclass
class Splits:
    train: TensorDataset
    val: TensorDataset
    test: TensorDataset
    target_mean: torch.Tensor
    target_std: torch.Tensor


def load_splits(cfg: dict) -> Splits:
    raw = np.load(cfg["path"])
    x = snv(raw["absorbance"].astype(np.float32))
    y = np.stack([raw["protein"], raw["moisture"]], axis=1).astype(np.float32)

    order = np.random.default_rng(cfg["split_seed"]).permutation(len(x))
    n_val = int(len(x) * cfg["val_fraction"])
    n_test = int(len(x) * cfg["test_fraction"])
    test, val, train = np.split(order, [n_test, n_test + n_val])

    band_mean, band_std = x[train].mean(0), x[train].std(0)
    t_mean, t_std = y[train].mean(0), y[train].std(0)

    def pack(idx):
        xs = (x[idx] - band_mean) / band_std
        ys = (y[idx] - t_mean) / t_std
        return TensorDataset(torch.from_numpy(xs), torch.from_numpy(ys))

    return Splits(pack(train), pack(val), pack(test), torch.from_numpy(t_mean), torch.from_numpy(t_std))
