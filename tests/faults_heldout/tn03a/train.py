"""Day-ahead load forecast. Everything is set in config.json"""
import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from data import build
from model import DayAhead, PinballLoss

ROOT = Path(__file__).resolve().parent


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        t, m, d = cfg["train"], cfg["model"], cfg["data"]
        train_set, test_set, self.stats = build(ROOT, d)
        self.epochs = t["epochs"]
        self.train_dl = DataLoader(train_set, batch_size=t["batch_size"], shuffle=True)
        self.test_dl = DataLoader(test_set, batch_size=len(test_set))
        self.median = t["quantiles"].index(0.5)
        self.model = DayAhead(d["history"], d["horizon"], train_set.known.shape[1], len(t["quantiles"]), **m)
        self.loss_fn = PinballLoss(t["quantiles"])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), **t["optimizer"])
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, **t["scheduler"])

    def fit(self):
        print("same hour last week: MAE %.1f MW" % self.naive())
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            total = 0.0
            for past, known, target in self.train_dl:
                loss = self.loss_fn(self.model(past, known), target)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
                total += loss.item() * len(past)
            mae, cover = self.evaluate()
            print(f"epoch {epoch:2d}  pinball {total / len(self.train_dl.dataset):.4f}  "
                  f"test MAE {mae:.1f} MW  80% interval covers {cover:.0%}")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        past, known, target = next(iter(self.test_dl))
        pred = self.model(past, known)
        mae = (pred[..., self.median] - target).abs().mean().item() * self.stats["load_mw"][1]
        inside = (target >= pred[..., 0]) & (target <= pred[..., -1])
        return mae, inside.float().mean().item()

    def naive(self):
        past, _, target = next(iter(self.test_dl))
        return (past[:, :24] - target).abs().mean().item() * self.stats["load_mw"][1]


if __name__ == "__main__":
    Trainer(json.loads((ROOT / "config.json").read_text())).fit()
