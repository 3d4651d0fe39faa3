from pathlib import Path

import lightning as L
import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent
ACTIVITIES = ["cycle", "sit", "stairs", "sweep", "walk"]


class WristData(L.LightningDataModule):
    """2-second wrist accelerometer windows (vertical, horizontal) with one activity each."""

    def __init__(self, batch_size=32, val_share=0.25, split_seed=4):
        super().__init__()
        self.batch_size, self.val_share, self.split_seed = batch_size, val_share, split_seed

    def setup(self, stage=None):
        signals = np.load(HERE / "windows.npy").astype("float32")
        table = pd.read_csv(HERE / "labels.csv")
        assert len(table) == len(signals)
        codes = table["activity"].map({a: i for i, a in enumerate(ACTIVITIES)}).to_numpy(copy=True)

        order = np.random.default_rng(self.split_seed).permutation(len(signals))
        n_val = int(len(order) * self.val_share)
        val_idx, train_idx = order[:n_val], order[n_val:]

        mean = signals[train_idx].mean(axis=(0, 2), keepdims=True)
        std = signals[train_idx].std(axis=(0, 2), keepdims=True)
        x = torch.from_numpy((signals - mean) / std)
        y = torch.from_numpy(codes).long()
        self.train_set = TensorDataset(x[train_idx], y[train_idx])
        self.val_set = TensorDataset(x[val_idx], y[val_idx])

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=80)
