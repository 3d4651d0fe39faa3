import glob
import os

import numpy as np
import torch
from torch.utils.data import Dataset


class SoundFeatures(Dataset):
    """26 log-mel/MFCC statistics per clip, one .npy file per class."""

    def __init__(self, root, part, holdout=5, stats=None):
        files = sorted(glob.glob(os.path.join(root, "*.npy")))
        self.classes = [os.path.splitext(os.path.basename(f))[0] for f in files]
        x, y = [], []
        for label, f in enumerate(files):
            feats = np.load(f)
            pick = np.arange(len(feats)) % holdout == 0
            if part == "train":
                pick = ~pick
            x.append(feats[pick])
            y.append(np.full(pick.sum(), label))
        x = np.concatenate(x)
        self.stats = stats or (x.mean(0), x.std(0))
        self.x = torch.from_numpy((x - self.stats[0]) / self.stats[1])
        self.y = torch.from_numpy(np.concatenate(y)).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
