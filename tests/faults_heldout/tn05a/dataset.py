import numpy as np
import pandas as pd
import torch
from torch.utils.data import TensorDataset


def load_pumps(path, findings, split, seed):
    df = pd.read_csv(path)
    y = df[findings].to_numpy(np.float32)
    x = df.drop(columns=findings).to_numpy(np.float32)
    order = np.random.default_rng(seed).permutation(len(df))
    a = int(split[0] * len(df))
    b = a + int(split[1] * len(df))
    parts = [order[:a], order[a:b], order[b:]]
    mean, std = x[parts[0]].mean(0), x[parts[0]].std(0)
    x = (x - mean) / std
    return [TensorDataset(torch.from_numpy(x[p]), torch.from_numpy(y[p])) for p in parts]
