import numpy as np
import torch


class Pumps:
    def __init__(self, path, seed):
        z = np.load(path)
        n = len(z["x"])
        perm = np.random.default_rng(seed).permutation(n)
        self.index = {"train": perm[:3800], "test": perm[3800:]}
        tr = self.index["train"]
        self.x = self._z(z["x"], tr)[0]
        self.temp, self.temp_scale = self._z(z["temp"], tr)
        self.vib, self.vib_scale = self._z(np.log(z["vib"]), tr)
        self.state = torch.from_numpy(z["state"].astype(np.int64))

    @staticmethod
    def _z(a, tr):
        m, s = a[tr].mean(0), a[tr].std(0)
        return torch.from_numpy(((a - m) / s).astype(np.float32)), s

    def get(self, idx):
        return self.x[idx], (self.temp[idx], self.vib[idx], self.state[idx])

    def batches(self, size):
        for idx in np.array_split(np.random.permutation(self.index["train"]), len(self.index["train"]) // size):
            yield self.get(idx)
