import numpy as np
import torch


def load_flats(path, target, seed, shares=(0.7, 0.15, 0.15)):
    with open(path) as f:
        header = f.readline().strip().split(",")
    raw = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float64)
    j = header.index(target)
    y = np.log(raw[:, j])
    x = np.delete(raw, j, axis=1)

    order = np.random.default_rng(seed).permutation(len(x))
    n_train, n_val = int(shares[0] * len(x)), int(shares[1] * len(x))
    parts = np.split(order, [n_train, n_train + n_val])
    mu, sd = x[parts[0]].mean(0), x[parts[0]].std(0)
    ymu, ysd = y[parts[0]].mean(), y[parts[0]].std()
    out = []
    for p in parts:
        out.append((
            torch.tensor((x[p] - mu) / sd, dtype=torch.float32),
            torch.tensor((y[p] - ymu) / ysd, dtype=torch.float32),
        ))
    return out, (ymu, ysd)
