from pathlib import Path

import numpy as np
import torch
from torch.utils.data import TensorDataset

ROOT = Path(__file__).resolve().parent


def load_spectra():
    with np.load(ROOT / "spectra.npz") as f:
        train = TensorDataset(torch.from_numpy(f["labelled"].astype(np.float32)),
                              torch.from_numpy(f["label"].astype(np.int64)))
        test = TensorDataset(torch.from_numpy(f["test"].astype(np.float32)),
                             torch.from_numpy(f["test_label"].astype(np.int64)))
        names = [str(n) for n in f["names"]]
    return train, test, names
