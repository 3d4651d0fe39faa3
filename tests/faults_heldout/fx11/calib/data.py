import lightning as L
import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset

FEATURES = ["temp_c", "humidity", "supply_v", "raw"]


class Colocation(L.LightningDataModule):
    """Low-cost gas sensor next to a reference analyser. The target stays in ppm."""

    def __init__(self, csv="colocation.csv", batch_size=8, seed=0):
        super().__init__()
        self.save_hyperparameters()

    def setup(self, stage=None):
        t = pd.read_csv(self.hparams.csv)
        order = np.random.default_rng(self.hparams.seed).permutation(len(t))
        tr, va = order[:1100], order[1100:]
        x = t[FEATURES].to_numpy(np.float32)
        x = (x - x[tr].mean(0)) / x[tr].std(0)
        y = t["reference_ppm"].to_numpy(np.float32)
        self.y_mean = float(y[tr].mean())
        self.y_std = float(y[tr].std())
        self.sets = {k: TensorDataset(torch.from_numpy(x[i]), torch.from_numpy(y[i])) for k, i in (("tr", tr), ("va", va))}

    def train_dataloader(self):
        return DataLoader(self.sets["tr"], self.hparams.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(self.sets["va"], 400)
