"""Daily forcings and discharge of one basin, cut into windows."""
import numpy as np
import torch
from torch.utils.data import Dataset


class Basin:
    def __init__(self, path, train_until, valid_until):
        z = np.load(path)
        self.names = [str(s) for s in z["names"]]
        forcing = z["forcing"].astype(np.float64)
        flow = np.log1p(z["discharge"].astype(np.float64))
        part = forcing[:train_until]
        self.mu = np.nanmean(part, axis=0)
        self.sd = np.nanstd(part, axis=0) + 1e-6
        self.q_mu, self.q_sd = flow[:train_until].mean(), flow[:train_until].std()
        self.x = ((forcing - self.mu) / self.sd).astype(np.float32)
        self.q = ((flow - self.q_mu) / self.q_sd).astype(np.float32)
        self.cuts = (0, train_until, valid_until)

    def split(self, which, window):
        lo, hi = (self.cuts[0], self.cuts[1]) if which == "train" else (self.cuts[1], self.cuts[2])
        return Windows(self.x[lo:hi], self.q[lo:hi], window)


class Windows(Dataset):
    def __init__(self, x, q, window):
        self.x, self.q, self.window = torch.from_numpy(x), torch.from_numpy(q), window

    def __len__(self):
        return len(self.q) - self.window + 1

    def __getitem__(self, i):
        j = i + self.window
        return self.x[i:j], self.q[j - 1]
