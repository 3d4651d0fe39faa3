from pathlib import Path

import lightning as L
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


class Listens(L.LightningDataModule):
    def __init__(self, path, batch_size=64):
        super().__init__()
        z = np.load(Path(path))
        self.user_attr = torch.tensor(z["user_attr"], dtype=torch.float32)
        self.item_attr = torch.tensor(z["item_attr"], dtype=torch.float32)
        u, i = torch.tensor(z["user"]).long(), torch.tensor(z["item"]).long()
        part = torch.tensor(z["split"])
        self.known = torch.zeros(len(self.user_attr), len(self.item_attr), dtype=torch.bool)
        self.seen = self.known.clone()
        self.known[u, i] = True
        self.seen[u[part == 0], i[part == 0]] = True
        self.sets = [TensorDataset(u[part == k], i[part == k]) for k in range(3)]
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(self.sets[0], self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.sets[1], 256)

    def test_dataloader(self):
        return DataLoader(self.sets[2], 256)
