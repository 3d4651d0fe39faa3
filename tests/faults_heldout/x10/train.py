import json
import pathlib

import torch
from torch import nn

from src.data import build
from src.models import build_mlp


class Trainer:
    def __init__(self, model, train, test, epochs, lr, weight_decay):
        self.model, self.train_loader, self.test = model, train, test
        self.epochs = epochs
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=lr, total_steps=epochs * len(train))
        self.criterion = nn.MSELoss()

    @torch.no_grad()
    def r2(self):
        self.model.eval()
        x, y = self.test
        res = ((self.model(x) - y) ** 2).sum()
        return (1 - res / ((y - y.mean()) ** 2).sum()).item()

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            total = 0.0
            for x, y in self.train_loader:
                loss = self.criterion(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.sched.step()
                total += loss.item() * len(x)
            print(f"epoch {epoch + 1:3d}/{self.epochs}  mse {total / len(self.train_loader.dataset):.4f}  test R2 {self.r2():.4f}")


def main():
    cfg = json.loads((pathlib.Path(__file__).parent / "config.json").read_text())
    t = cfg["train"]
    torch.manual_seed(t["seed"])
    train, test = build(**cfg["data"], batch_size=t["batch_size"])
    model = build_mlp(cfg["data"]["features"], cfg["model"]["hidden"], cfg["model"]["activation"], cfg["model"]["dropout"])
    Trainer(model, train, test, t["epochs"], t["lr"], t["weight_decay"]).fit()


if __name__ == "__main__":
    main()
