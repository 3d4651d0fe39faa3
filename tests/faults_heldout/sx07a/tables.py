from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch


@dataclass
class Table:
    task: str
    n_out: int
    x_train: torch.Tensor
    y_train: torch.Tensor
    x_test: torch.Tensor
    y_test: torch.Tensor


def infer_task(target):
    """Whole-number columns are class codes, real-valued columns are quantities."""
    return "classification" if target.dtype.kind in "iub" else "regression"


def read_table(path, target, test_share=0.25, seed=0):
    df = pd.read_csv(path)
    task = infer_task(df[target])
    x = df.drop(columns=target).to_numpy(np.float32)
    if task == "classification":
        y = df[target].to_numpy(np.int64)
        n_out = int(y.max()) + 1
    else:
        y = df[target].to_numpy(np.float32)
        n_out = 1
    order = np.random.default_rng(seed).permutation(len(df))
    cut = int(len(df) * test_share)
    te, tr = order[:cut], order[cut:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / np.maximum(sd, 1e-6)
    t = torch.from_numpy
    return Table(task, n_out, t(x[tr]), t(y[tr]), t(x[te]), t(y[te]))
