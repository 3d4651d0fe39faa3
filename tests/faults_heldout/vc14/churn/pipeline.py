from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import TensorDataset

from churn.table import oversample, read_customers, split


@dataclass
class Prepared:
    train: TensorDataset
    val: TensorDataset
    n_features: int


def prepare(path: Path, val_share: float, seed: int) -> Prepared:
    values, plan, left = read_customers(path)
    rng = np.random.default_rng(seed)
    index = oversample(np.arange(len(left)), left, rng)
    train, val = split(index, val_share, rng)

    centre, scale = values[train].mean(0), values[train].std(0)
    features = np.concatenate([(values - centre) / scale, plan], axis=1).astype(np.float32)

    def pick(rows):
        return TensorDataset(torch.from_numpy(features[rows]), torch.from_numpy(left[rows]).float())

    return Prepared(pick(train), pick(val), features.shape[1])
