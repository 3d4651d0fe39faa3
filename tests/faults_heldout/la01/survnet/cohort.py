import numpy as np
import torch

FEATURES = ["age", "bmi", "sbp", "crp", "albumin", "egfr", "sex", "smoking", "stage", "hb"]


def load(path, n_bins, seed):
    table = np.genfromtxt(path, delimiter=",", names=True)
    x = np.stack([table[f] for f in FEATURES], 1).astype(np.float32)
    x[:, FEATURES.index("crp")] = np.log(x[:, FEATURES.index("crp")] + 0.1)
    months, event = table["months"], table["event"]

    order = np.random.default_rng(seed).permutation(len(x))
    n_test = len(x) // 4
    test, train = order[:n_test], order[n_test:]

    mu, sd = x[train].mean(0), x[train].std(0)
    x = (x - mu) / sd

    # equal-frequency cuts over the observed event times of the training part
    ev_times = months[train][event[train] == 1]
    cuts = np.quantile(ev_times, np.linspace(0, 1, n_bins + 1)[1:-1])
    bins = np.searchsorted(cuts, months)

    def pack(idx):
        return {
            "x": torch.from_numpy(x[idx]),
            "bin": torch.from_numpy(bins[idx]).long(),
            "event": torch.from_numpy(event[idx]).float(),
            "months": torch.from_numpy(months[idx]),
        }

    return pack(train), pack(test)
