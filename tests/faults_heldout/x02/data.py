import numpy as np
import torch
from sklearn.datasets import load_breast_cancer


def load():
    raw = load_breast_cancer()
    return raw.data.astype(np.float32), raw.target.astype(np.int64)


def kfold(n, k, seed):
    order = np.random.default_rng(seed).permutation(n)
    parts = np.array_split(order, k)
    for i in range(k):
        yield np.concatenate([p for j, p in enumerate(parts) if j != i]), parts[i]


def standardise(train, test):
    mu, sd = train.mean(0), train.std(0) + 1e-6
    return torch.from_numpy((train - mu) / sd), torch.from_numpy((test - mu) / sd)
