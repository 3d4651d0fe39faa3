import csv

import numpy as np


def load_fingerprints(path):
    """Unpacked 0/1 fingerprints, one row per compound."""
    pack = np.load(path)
    bits = np.unpackbits(pack["bits"], axis=1)[:, : int(pack["n_bits"])]
    return pack["names"], bits.astype(np.float32)


def load_assay(path, column):
    with open(path, newline="") as fh:
        return np.array([float(rec[column]) for rec in csv.DictReader(fh)], dtype=np.float32)


def split(n, frac, seed):
    order = np.random.default_rng(seed).permutation(n)
    cut = int(n * frac)
    return order[:cut], order[cut:]
