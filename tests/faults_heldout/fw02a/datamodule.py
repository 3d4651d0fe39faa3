import pandas as pd
import torch
from lightning import LightningDataModule
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

NUMERIC = ["area", "rooms", "floor", "year", "dist_km", "energy", "fee"]
CATEGORICAL = ["district", "heating"]


class FlatsDataModule(LightningDataModule):
    def __init__(self, csv="flats.csv", batch_size=32):
        super().__init__()
        self.csv, self.batch_size = csv, batch_size

    def setup(self, stage=None):
        df = pd.read_csv(self.csv)
        cats = pd.get_dummies(df[CATEGORICAL].astype("category"), dtype=float)
        train_idx, val_idx = train_test_split(df.index, test_size=0.2, random_state=3)
        scaler = StandardScaler().fit(df.loc[train_idx, NUMERIC])

        def pack(idx):
            num = torch.tensor(scaler.transform(df.loc[idx, NUMERIC]), dtype=torch.float32)
            cat = torch.tensor(cats.loc[idx].to_numpy(), dtype=torch.float32)
            y = torch.tensor(df.loc[idx, "price"].to_numpy(), dtype=torch.float32)
            return TensorDataset(torch.cat([num, cat], 1), y)

        self.train_set, self.val_set = pack(train_idx), pack(val_idx)
        self.in_dim = len(NUMERIC) + cats.shape[1]

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, 128)
