import lightning as L
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from meterread.transforms import compose


class Crops(Dataset):
    def __init__(self, images, labels, pipeline):
        self.images = torch.tensor(images, dtype=torch.float32)[:, None]
        self.labels = torch.tensor(labels, dtype=torch.long)
        self.pipeline = pipeline

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.pipeline(self.images[i]), self.labels[i]


class MeterDigits(L.LightningDataModule):
    def __init__(self, cfg, transform, batch_size):
        super().__init__()
        self.cfg = cfg
        self.transform = transform
        self.batch_size = batch_size

    def setup(self, stage=None):
        z = np.load(self.cfg.archive)
        val = np.isin(z["meter"], self.cfg.val_meters)
        self.train_set = Crops(
            z["images"][~val], z["labels"][~val], compose(self.transform["train"])
        )
        self.val_set = Crops(
            z["images"][val], z["labels"][val], compose(self.transform["val"])
        )

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, 256)
