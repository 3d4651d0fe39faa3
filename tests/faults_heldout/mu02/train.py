import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from arm.kinematics import Standardizer, simulate
from arm.network import ArmNet


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        x, y = simulate(cfg["n_samples"], cfg["seed"])
        cut = int(0.8 * len(x))
        sx, sy = Standardizer(x[:cut]), Standardizer(y[:cut])
        x, y = torch.from_numpy(sx(x)), torch.from_numpy(sy(y))
        self.train_loader = DataLoader(TensorDataset(x[:cut], y[:cut]), cfg["batch_size"], shuffle=True)
        self.val = x[cut:], y[cut:]
        self.model = ArmNet(x.shape[1], y.shape[1], cfg["width"], cfg["depth"], cfg["activation"])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg["epochs"])
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
        self.scheduler.step()
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        x, y = self.val
        err = (self.model(x) - y).pow(2).mean(0)
        return (1 - err / y.var(0)).tolist()

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            loss = self.train_epoch()
            r2 = self.validate()
            print(f"{epoch:3d} mse {loss:.4f}  R2 reach {r2[0]:.3f} height {r2[1]:.3f} post {r2[2]:.3f}")


if __name__ == "__main__":
    Trainer(json.loads((Path(__file__).parent / "config.json").read_text())).fit()
