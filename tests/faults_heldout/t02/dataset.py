import numpy as np
import torch
from sklearn.datasets import load_diabetes
from torch.utils.data import Dataset


class Diabetes(Dataset):
    """progression one year after baseline; both sides standardised with the training part"""

    def __init__(self, part):
        d = load_diabetes()
        idx = np.random.default_rng(0).permutation(len(d.target))
        tr, va = idx[:340], idx[340:]
        x = (d.data - d.data[tr].mean(0)) / d.data[tr].std(0)
        y = (d.target - d.target[tr].mean()) / d.target[tr].std()
        use = tr if part == "train" else va
        self.x = torch.tensor(x[use], dtype=torch.float32)
        self.y = torch.tensor(y[use], dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
