import argparse
import tomllib

import torch
import torch.nn as nn
import torch.nn.functional as F

from average import WeightAverage
from spectra import PLASTICS, make


class Sorter(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 12, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(12, 24, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(24 * (bands // 4), len(PLASTICS)),
        )

    def forward(self, x):
        return self.net(x.unsqueeze(1))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        x, y = make(cfg["data"]["samples"], cfg["data"]["bands"], cfg["seed"])
        cut = int(0.8 * len(x))
        mean, std = x[:cut].mean(0), x[:cut].std(0)
        x = (x - mean) / std
        self.train_x, self.train_y, self.val_x, self.val_y = x[:cut], y[:cut], x[cut:], y[cut:]
        self.model = Sorter(cfg["data"]["bands"])
        self.opt = torch.optim.AdamW(
            self.model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"]
        )
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["optim"]["epochs"])
        self.shadow = WeightAverage(self.model, cfg["average"]["decay"])

    def epoch(self):
        self.model.train()
        total = 0.0
        for rows in torch.randperm(len(self.train_x)).split(self.cfg["optim"]["batch_size"]):
            loss = F.cross_entropy(self.model(self.train_x[rows]), self.train_y[rows])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.shadow.update(self.model)
            total += loss.item() * len(rows)
        self.sched.step()
        return total / len(self.train_x)

    @torch.no_grad()
    def validate(self):
        logits = self.shadow.model(self.val_x)
        return F.cross_entropy(logits, self.val_y).item(), (logits.argmax(1) == self.val_y).float().mean().item()

    def fit(self):
        for e in range(1, self.cfg["optim"]["epochs"] + 1):
            loss = self.epoch()
            vl, va = self.validate()
            if e % 2 == 0:
                print(f"epoch {e:2d}  train {loss:.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.toml")
    ap.add_argument("--seed", type=int)
    args = ap.parse_args()
    with open(args.config, "rb") as fh:
        config = tomllib.load(fh)
    if args.seed is not None:
        config["seed"] = args.seed
    torch.manual_seed(config["seed"])
    Trainer(config).fit()
