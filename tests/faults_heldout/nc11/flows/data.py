from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Splits:
    train: torch.Tensor
    val: torch.Tensor
    test: torch.Tensor
    log_unit: float


def load_splits(path, val_fraction, test_fraction, seed):
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    table = table[np.random.default_rng(seed).permutation(len(table))]
    n_test, n_val = int(len(table) * test_fraction), int(len(table) * val_fraction)
    test, val, train = np.split(table, [n_test, n_test + n_val])
    mean, std = train.mean(axis=0), train.std(axis=0)
    scale = lambda a: torch.from_numpy((a - mean) / std)
    return Splits(scale(train), scale(val), scale(test), float(np.log(std).sum()))
