import json

import lightning as L
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset


class GearboxData(L.LightningDataModule):
    """SCADA table plus the per-channel statistics exported with it."""

    classes = ["ok", "bearing_wear", "oil_degraded", "misaligned"]

    def __init__(self, table, stats, batch_size):
        super().__init__()
        self.table = table
        self.stats = stats
        self.batch_size = batch_size
        self.sets = None

    def prepare_data(self):
        if self.sets is not None:
            return
        with open(self.stats) as f:
            channels = json.load(f)["channels"]
        df = pd.read_csv(self.table)
        for name, s in channels.items():
            df[name] = (df[name] - s["mean"]) / s["std"]
        self.n_inputs = len(channels)
        label = df["condition"].map({c: i for i, c in enumerate(self.classes)})
        self.sets = {}
        for part in ("train", "val", "test"):
            rows = df["part"] == part
            x = torch.tensor(df.loc[rows, list(channels)].to_numpy("float32"))
            y = torch.tensor(label[rows].to_numpy("int64"))
            self.sets[part] = TensorDataset(x, y)

    def _loader(self, part):
        return DataLoader(
            self.sets[part], batch_size=self.batch_size, shuffle=part == "train"
        )

    def train_dataloader(self):
        return self._loader("train")

    def val_dataloader(self):
        return self._loader("val")

    def test_dataloader(self):
        return self._loader("test")
