from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class Ratings(Dataset):
    """One part ("train" or "valid") of the half-star ratings."""

    def __init__(self, path, part):
        with np.load(Path(path)) as z:
            table = z[part]
            self.n_users, self.n_recipes = z["shape"].tolist()
        self.user = torch.from_numpy(table[:, 0].astype(np.int64))
        self.recipe = torch.from_numpy(table[:, 1].astype(np.int64))
        self.stars = torch.from_numpy(table[:, 2].astype(np.float32) / 2)

    def __len__(self):
        return len(self.stars)

    def __getitem__(self, i):
        return self.user[i], self.recipe[i], self.stars[i]
