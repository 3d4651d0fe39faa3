import numpy as np
import torch


class ArmData:
    """Columns q1 q2 dq1 dq2 ddq1 ddq2 tau1 tau2, split by excitation run."""

    n_in, n_out = 6, 2

    def __init__(self, path):
        z = np.load(path)
        table = torch.from_numpy(z["samples"].astype(np.float32))
        run = torch.from_numpy(z["run"].astype(np.int64))
        test = run >= 54
        val = (run >= 45) & ~test
        train = run < 45

        self.mean = table[train].mean(0)
        self.std = table[train].std(0)
        table = (table - self.mean) / self.std
        self.parts = {
            name: (table[rows, : self.n_in], table[rows, self.n_in :])
            for name, rows in (("train", train), ("val", val), ("test", test))
        }

    def __getitem__(self, part):
        return self.parts[part]

    def torque(self, z):
        return z * self.std[self.n_in :] + self.mean[self.n_in :]
