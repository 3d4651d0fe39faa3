import numpy as np
import torch


class Ratings:
    def __init__(self, path):
        z = np.load(path)
        self.user = torch.from_numpy(z["user"].astype(np.int64))
        self.item = torch.from_numpy(z["item"].astype(np.int64))
        self.stars = torch.from_numpy(z["stars2"].astype(np.float32) / 2)
        self.genre = torch.from_numpy(z["genre"].astype(np.float32))
        self.n_users = int(z["n_users"])
        self.n_items = len(self.genre)

    def holdout(self, share, seed):
        g = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self.stars), generator=g)
        k = int(share * len(order))
        return order[k:], order[:k]

    def rows(self, idx):
        item = self.item[idx]
        return self.user[idx], item, self.genre[item], self.stars[idx]
