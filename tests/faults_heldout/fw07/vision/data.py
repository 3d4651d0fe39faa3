import torch
import torch.nn.functional as F
from lightning.pytorch import LightningDataModule
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class Digits(LightningDataModule):
    def __init__(self, size=24, batch_size=64, seed=0):
        super().__init__()
        self.size, self.batch_size, self.seed = size, batch_size, seed

    def setup(self, stage=None):
        d = load_digits()
        x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
        x = F.interpolate(x, size=(self.size, self.size), mode="bilinear", align_corners=False)
        x = (x - 0.305) / 0.37
        y = torch.tensor(d.target)
        tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=self.seed)
        self.train, self.test = TensorDataset(x[tr], y[tr]), TensorDataset(x[te], y[te])

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(self.test, 256)
