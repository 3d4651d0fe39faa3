import numpy as np
import torch
from torch.utils.data import IterableDataset

GASES = ["ethanol", "ammonia", "toluene", "acetone"]
N_SENSORS = 10


class GasStream(IterableDataset):
    """Readings of a metal-oxide sensor array as they come from the test bench."""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed
        bench = np.random.default_rng(1234)
        self.gain = bench.uniform(0.4, 1.6, (4, N_SENSORS))
        self.power = bench.uniform(0.35, 0.75, (4, N_SENSORS))
        self.hum = bench.normal(0, 0.35, N_SENSORS)

    def __iter__(self):
        r = np.random.default_rng(self.seed)
        for start in range(0, self.n, 1000):
            k = min(1000, self.n - start)
            y = r.integers(0, 4, k)
            conc = r.lognormal(0.4, 0.7, k)[:, None]
            hum = r.normal(0, 1, k)[:, None]
            x = np.log1p(self.gain[y] * conc ** self.power[y]) + 0.3 * hum * self.hum * (1 + 0.3 * conc ** 0.5)
            x = x + r.normal(0, 0.16, x.shape)
            x = np.concatenate([x, hum], 1).astype(np.float32)
            yield from zip(torch.from_numpy(x), torch.from_numpy(y))
