import tomllib
from pathlib import Path

import torch
from torch import nn

from pulsar.data import loaders
from pulsar.model import profile_mlp

BASE = Path(__file__).resolve().parent


class Trainer:
    def __init__(self, settings):
        t = settings["training"]
        d = dict(settings["data"])
        torch.manual_seed(t["seed"])
        self.epochs = t["epochs"]
        self.train_loader, self.val_loader = loaders(BASE / d.pop("file"), seed=t["seed"], **d)
        self.model = profile_mlp(48, n_out=4, **settings["model"])
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=self.epochs)

    def run_epoch(self):
        self.model.train()
        loss_sum = hits = n = 0
        for x, y in self.train_loader:
            out = self.model(x)
            loss = self.criterion(out, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss_sum / n, hits / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum = hits = n = 0
        for x, y in self.val_loader:
            out = self.model(x)
            loss_sum += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss_sum / n, hits / n

    def fit(self):
        for epoch in range(self.epochs):
            train_loss, train_acc = self.run_epoch()
            self.scheduler.step()
            if (epoch + 1) % 5 == 0:
                val_loss, val_acc = self.validate()
                print(
                    f"epoch {epoch + 1:3d}  train loss {train_loss:.4f} acc {train_acc:.3f}  "
                    f"val loss {val_loss:.4f} acc {val_acc:.3f}"
                )


if __name__ == "__main__":
    Trainer(tomllib.loads((BASE / "settings.toml").read_text())).fit()
