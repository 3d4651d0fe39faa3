from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch.utils.data import TensorDataset

from energy.data.transforms import TARGET_TRANSFORMS


@dataclass
class Splits:
    train: TensorDataset
    val: TensorDataset
    test: TensorDataset
    n_features: int
    target_transform: object


def build_splits(cfg):
    df = pd.read_csv(cfg.path)

    order = np.random.default_rng(cfg.split_seed).permutation(len(df))
    n_val = int(len(df) * cfg.val_fraction)
    n_test = int(len(df) * cfg.test_fraction)
    idx = {
        "val": order[:n_val],
        "test": order[n_val:n_val + n_test],
        "train": order[n_val + n_test:],
    }

    num = df[cfg.numeric].to_numpy(np.float32)
    mu, sd = num[idx["train"]].mean(0), num[idx["train"]].std(0)
    num = (num - mu) / sd
    cat = pd.get_dummies(df[cfg.categorical]).to_numpy(np.float32)
    x = np.concatenate([num, cat], axis=1)

    y = df[cfg.target].to_numpy(np.float64)
    tf = TARGET_TRANSFORMS[cfg.target_transform]().fit(y[idx["train"]])
    y = tf.forward(y)

    sets = {
        name: TensorDataset(
            torch.tensor(x[i]), torch.tensor(y[i], dtype=torch.float32)
        )
        for name, i in idx.items()
    }
    return Splits(n_features=x.shape[1], target_transform=tf, **sets)
