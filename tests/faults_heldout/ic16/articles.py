import json

import torch
from torch.utils.data import Dataset


class Articles(Dataset):
    def __init__(self, path, n_tags=10):
        x, y = [], []
        with open(path) as f:
            for line in f:
                d = json.loads(line)
                x.append(d["counts"])
                t = [0.0] * n_tags
                for k in d["tags"]:
                    t[k] = 1.0
                y.append(t)
        self.x = torch.log1p(torch.tensor(x, dtype=torch.float32))
        self.y = torch.tensor(y)

    def standardise(self, rows):
        m, s = self.x[rows].mean(0), self.x[rows].std(0) + 1e-3
        self.x = (self.x - m) / s

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
