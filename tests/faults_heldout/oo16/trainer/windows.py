import numpy as np
import torch


def build_sets(path, history, horizon, split):
    raw = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    hour, wd, temp, occ, load = raw.T
    cut = int(split * len(raw))
    feats = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), (wd >= 5).astype(np.float32),
                      (temp - temp[:cut].mean()) / temp[:cut].std(),
                      (load - load[:cut].mean()) / load[:cut].std()], 1)
    target = feats[:, -1]

    def cutout(lo, hi):
        starts = np.arange(lo, hi - history - horizon + 1)
        x = np.stack([feats[s:s + history] for s in starts])
        y = np.stack([target[s + history:s + history + horizon] for s in starts])
        o = np.stack([occ[s + history:s + history + horizon] for s in starts])
        return torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(o)

    return cutout(0, cut), cutout(cut, len(raw)), float(load[:cut].std())
