import numpy as np
import torch
from torch.utils.data import Dataset


class PairDataset(Dataset):
    """Draws pairs of gait windows; label 1 = same walker, 0 = different walkers."""

    def __init__(self, features, walker, pairs_per_epoch, seed):
        self.features = torch.from_numpy(features)
        self.walker = walker
        self.by_walker = {w: np.flatnonzero(walker == w) for w in np.unique(walker)}
        self.ids = sorted(self.by_walker)
        self.n = pairs_per_epoch
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.n

    def __getitem__(self, _):
        i = self.rng.integers(len(self.walker))
        own = self.walker[i]
        same = self.rng.random() < 0.5
        if same:
            j = self.rng.choice(self.by_walker[own])
        else:
            other = self.rng.choice([w for w in self.ids if w != own])
            j = self.rng.choice(self.by_walker[other])
        return self.features[i], self.features[j], torch.tensor(float(same))


def load_windows(path, holdout=0.25, seed=0):
    blob = np.load(path)
    x, w = blob["features"].astype(np.float32), blob["walker"].astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(w))
    cut = int(len(w) * (1 - holdout))
    tr, te = order[:cut], order[cut:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd
    return (x[tr], w[tr]), (x[te], w[te])
