import csv

import numpy as np
import torch


def load(path, holdout, seed):
    with open(path) as f:
        rows = list(csv.reader(f))
    header, table = rows[0], np.array(rows[1:], dtype=np.float32)
    order = np.random.default_rng(seed).permutation(len(table))
    table = table[order]
    n = int(len(table) * (1 - holdout))
    mean, std = table[:n].mean(0), table[:n].std(0)
    table = torch.from_numpy((table - mean) / std)
    return (table[:n, :-1], table[:n, -1]), (table[n:, :-1], table[n:, -1]), float(std[-1]), header
