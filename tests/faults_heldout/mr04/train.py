from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader

from losses import SmoothedCrossEntropy
from network import SpectrumNet
from spectra import load_splits


@dataclass
class Config:
    n_minerals: int = 48
    n_bands: int = 96
    epochs: int = 12
    batch_size: int = 64
    lr: float = 0.02
    momentum: float = 0.9
    seed: int = 2


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        train, val = load_splits(cfg.n_minerals, cfg.n_bands, cfg.seed)
        self.train_loader = DataLoader(train, cfg.batch_size, shuffle=True)
        self.val_loader = DataLoader(val, 256)
        self.model = SpectrumNet(cfg.n_minerals)
        self.model(torch.zeros(2, cfg.n_bands))
        self.criterion = SmoothedCrossEntropy(cfg.n_minerals)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=cfg.momentum, nesterov=True)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=cfg.epochs)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
        self.scheduler.step()
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return hits / len(self.val_loader.dataset)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            print(f"[{epoch + 1:02d}/{self.cfg.epochs}] loss={loss:.4f} val_acc={self.validate():.4f}")


if __name__ == "__main__":
    Trainer(Config()).fit()
