"""Reading of the probe log."""
import numpy as np

COLUMNS = ("ph", "turbidity", "temperature", "nitrate", "conductivity", "oxygen", "redox")


def read_log(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float32)
    return table[:, : len(COLUMNS)], table[:, len(COLUMNS)]


class Scaler:
    def fit(self, x):
        self.center = np.nanmedian(x, axis=0)
        lo, hi = np.nanpercentile(x, [16, 84], axis=0)
        self.spread = (hi - lo) / 2
        return self

    def __call__(self, x):
        return ((x - self.center) / self.spread).astype(np.float32)


def split(x, y, frac, seed):
    idx = np.random.RandomState(seed).permutation(len(x))
    k = int(len(x) * frac)
    return (x[idx[k:]], y[idx[k:]]), (x[idx[:k]], y[idx[:k]])
