import numpy as np
import torch


def load_cohort(path, valid_fraction, seed):
    """csv columns: months, event (1 = relapse, 0 = censored), then the covariates."""
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float32)
    order = np.random.default_rng(seed).permutation(len(table))
    cut = int(len(table) * (1 - valid_fraction))
    train, valid = table[order[:cut]], table[order[cut:]]
    mu, sd = train[:, 2:].mean(0), train[:, 2:].std(0) + 1e-6

    def pack(part):
        return (
            torch.from_numpy((part[:, 2:] - mu) / sd),
            torch.from_numpy(part[:, 0].copy()),
            torch.from_numpy(part[:, 1].copy()),
        )

    return pack(train), pack(valid)
