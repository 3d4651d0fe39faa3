import csv

import numpy as np
import torch


class Ratings:
    def __init__(self, path, holdout, seed):
        u, b, r = [], [], []
        with open(path, newline="") as fh:
            for line in csv.reader(fh, delimiter=";"):
                u.append(int(line[0]))
                b.append(int(line[1]))
                r.append(float(line[2]))
        self.n_users, self.n_books = max(u) + 1, max(b) + 1
        table = torch.tensor(np.stack([u, b], 1)), torch.tensor(r, dtype=torch.float32)
        perm = torch.randperm(len(r), generator=torch.Generator().manual_seed(seed))
        k = int(len(r) * holdout)
        self.valid = tuple(t[perm[:k]] for t in table)
        self.test = tuple(t[perm[k:2 * k]] for t in table)
        self.train = tuple(t[perm[2 * k:]] for t in table)

    def batches(self, size):
        keys, vals = self.train
        perm = torch.randperm(len(vals))
        for chunk in perm.split(size):
            yield keys[chunk], vals[chunk]
