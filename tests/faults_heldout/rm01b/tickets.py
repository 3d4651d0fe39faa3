"""Access to the tokenised support tickets."""
import numpy as np
import torch
from torch.utils.data import Dataset


class Tickets(Dataset):
    def __init__(self, path, part):
        z = np.load(path)
        self.ids = torch.from_numpy(z[f"{part}_ids"].astype(np.int64))
        self.n_tokens = torch.from_numpy(z[f"{part}_len"].astype(np.int64))
        self.queue = torch.from_numpy(z[f"{part}_queue"].astype(np.int64))

    def __len__(self):
        return len(self.queue)

    def __getitem__(self, i):
        return self.ids[i], self.n_tokens[i], self.queue[i]
