"""Screening classifier. Positives are rare, so the classes are balanced by resampling."""
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.utils import resample
from torch import nn


@dataclass
class Config:
    data: str = "screening.npz"
    hidden: int = 96
    lr: float = 2e-3
    epochs: int = 30
    batch_size: int = 64
    val_size: float = 0.25
    seed: int = 19


def balance(x, y, seed):
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    extra = resample(pos, n_samples=len(neg), replace=True, random_state=seed)
    keep = np.concatenate([neg, extra])
    return x[keep], y[keep]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        raw = np.load(Path(__file__).parent / cfg.data)
        x, y = raw["features"], raw["positive"]
        x, y = balance(x, y, cfg.seed)
        xt, xv, yt, yv = train_test_split(x, y, test_size=cfg.val_size, stratify=y, random_state=cfg.seed)
        self.mean, self.std = xt.mean(0), xt.std(0)
        self.xt, self.yt = self._tensors(xt, yt)
        self.xv, self.yv = self._tensors(xv, yv)
        self.model = nn.Sequential(
            nn.Linear(x.shape[1], cfg.hidden), nn.ReLU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(),
            nn.Linear(cfg.hidden, 1),
        )
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.loss = nn.BCEWithLogitsLoss()

    def _tensors(self, x, y):
        return torch.from_numpy((x - self.mean) / self.std), torch.from_numpy(y.astype(np.float32))

    def epoch(self):
        self.model.train()
        perm = torch.randperm(len(self.xt))
        total = 0.0
        for idx in perm.split(self.cfg.batch_size):
            loss = self.loss(self.model(self.xt[idx]).squeeze(1), self.yt[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(perm)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        z = self.model(self.xv).squeeze(1)
        return {
            "val_loss": round(self.loss(z, self.yv).item(), 4),
            "val_f1": round(float(f1_score(self.yv, z > 0)), 4),
            "val_auc": round(float(roc_auc_score(self.yv, z)), 4),
        }

    def fit(self):
        for e in range(1, self.cfg.epochs + 1):
            loss = self.epoch()
            if e % 3 == 0:
                print(json.dumps({"epoch": e, "loss": round(loss, 4), **self.validate()}))


if __name__ == "__main__":
    cfg = Config()
    print(json.dumps(asdict(cfg)))
    Trainer(cfg).fit()
