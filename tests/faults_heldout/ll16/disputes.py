"""Scores card payments by the risk of a later dispute (about one in eighteen is disputed)."""
import csv
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split

HERE = Path(__file__).resolve().parent
CHANNELS = ["chip", "web", "phone", "swipe"]


def features(rows):
    num = np.array([[math.log(float(r["amount"])), math.log1p(float(r["account_days"])),
                     math.log1p(float(r["km_from_home"])), float(r["payments_24h"]), float(r["new_shop"]),
                     math.sin(2 * math.pi * int(r["hour"]) / 24), math.cos(2 * math.pi * int(r["hour"]) / 24)]
                    for r in rows])
    chan = np.array([[float(r["channel"] == c) for c in CHANNELS] for r in rows])
    return num, chan


class Payments:
    def __init__(self, path, seed):
        rows = list(csv.DictReader(path.open()))
        y = np.array([int(r["disputed"]) for r in rows])
        num, chan = features(rows)
        tr, rest = train_test_split(np.arange(len(y)), test_size=0.4, stratify=y, random_state=seed)
        va, te = train_test_split(rest, test_size=0.5, stratify=y[rest], random_state=seed)
        mu, sd = num[tr].mean(0), num[tr].std(0)
        x = torch.tensor(np.hstack([(num - mu) / sd, chan]), dtype=torch.float32)
        t = torch.tensor(y, dtype=torch.float32)
        self.parts = {"train": (x[tr], t[tr]), "val": (x[va], t[va]), "test": (x[te], t[te])}

    @property
    def pos_weight(self):
        t = self.parts["train"][1]
        return (len(t) - t.sum()) / t.sum()


class RiskNet(nn.Module):
    def __init__(self, d, width=32, drop=0.3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(d, width), nn.GELU(), nn.Dropout(drop),
                                    nn.Linear(width, width), nn.GELU(), nn.Dropout(drop), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class Trainer:
    def __init__(self, data, micro_batch=32, accumulate=4, lr=2e-3, weight_decay=0.05, epochs=16):
        self.data, self.micro, self.acc, self.epochs = data, micro_batch, accumulate, epochs
        self.model = RiskNet(data.parts["train"][0].size(1))
        self.loss = nn.BCEWithLogitsLoss(pos_weight=data.pos_weight)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=weight_decay)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def epoch(self):
        x, y = self.data.parts["train"]
        self.model.train()
        chunks = torch.randperm(len(y)).split(self.micro)
        total = 0.0
        self.opt.zero_grad(set_to_none=True)
        for k, idx in enumerate(chunks):
            first = k - k % self.acc
            group = sum(len(c) for c in chunks[first:first + self.acc])     # last group may be shorter
            loss = self.loss(self.model(x[idx]), y[idx])
            (loss * len(idx) / group).backward()
            total += loss.item() * len(idx)
            if (k + 1) % self.acc == 0 or k + 1 == len(chunks):
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)
        self.sched.step()
        return total / len(y)

    @torch.no_grad()
    def predict(self, part):
        self.model.eval()
        x, y = self.data.parts[part]
        logits = self.model(x)
        return logits, y, self.loss(logits, y).item()

    def fit(self):
        for e in range(1, self.epochs + 1):
            tr = self.epoch()
            s, y, va = self.predict("val")
            print(f"[{e:02d}] weighted loss train {tr:.4f} val {va:.4f} | average precision "
                  f"{average_precision_score(y, s):.3f} auc {roc_auc_score(y, s):.3f}")

    def threshold(self, recall=0.8):
        s, y, _ = self.predict("val")
        return torch.quantile(s[y == 1], 1 - recall).item()


def main():
    torch.manual_seed(17)
    data = Payments(HERE / "payments.csv", seed=17)
    print(f"{len(data.parts['train'][1])} training payments, {data.parts['train'][1].mean():.3f} disputed, "
          f"positive weight {data.pos_weight:.1f}")
    trainer = Trainer(data)
    trainer.fit()
    cut = trainer.threshold()
    s, y, _ = trainer.predict("test")
    flagged = s >= cut
    hit = (flagged & (y == 1)).sum().item()
    print(f"test average precision {average_precision_score(y, s):.3f}, auc {roc_auc_score(y, s):.3f}")
    print(f"at logit {cut:.2f}: recall {hit / y.sum().item():.3f}, precision {hit / flagged.sum().item():.3f}, "
          f"flagged {flagged.float().mean().item():.3f} of all")


if __name__ == "__main__":
    main()
