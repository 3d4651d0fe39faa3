import csv

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load(path, target, log_columns, seed):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    names = [c for c in rows[0] if c != target]
    x = np.array([[float(r[c]) for c in names] for r in rows])
    for c in log_columns:
        x[:, names.index(c)] = np.log(x[:, names.index(c)])
    y = np.array([int(r[target]) - 1 for r in rows])
    x_tr, x_rest, y_tr, y_rest = train_test_split(x, y, test_size=0.4, stratify=y, random_state=seed)
    x_va, x_te, y_va, y_te = train_test_split(x_rest, y_rest, test_size=0.5, stratify=y_rest, random_state=seed)
    sc = StandardScaler().fit(x_tr)
    return [(torch.tensor(sc.transform(a), dtype=torch.float32), torch.tensor(b))
            for a, b in ((x_tr, y_tr), (x_va, y_va), (x_te, y_te))]
