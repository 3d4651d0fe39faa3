#!/usr/bin/env python
"""30-day readmission risk from discharge records."""
import csv
import logging
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("readmission")
BASE = Path(__file__).resolve().parent

WARDS = ["cardiology", "surgery", "geriatrics", "pulmonology", "neurology"]
TARGET = "readmitted"


@dataclass
class Settings:
    train_file: str = "discharges_train.csv"
    valid_file: str = "discharges_valid.csv"
    epochs: int = 25
    batch_size: int = 50
    lr: float = 1.5e-3
    weight_decay: float = 0.02
    dropout: float = 0.15
    seed: int = 33


def read_table(path):
    feats, target = [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            target.append(float(row.pop(TARGET)))
            ward = row.pop("ward")
            feats.append([float(v) for v in row.values()] + [float(ward == w) for w in WARDS])
    return np.asarray(feats, dtype=np.float32), np.asarray(target, dtype=np.float32)


class RiskNet(nn.Module):
    def __init__(self, n_in, p):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 48), nn.GELU(), nn.Dropout(p),
            nn.Linear(48, 48), nn.GELU(), nn.Dropout(p),
        )
        self.logit = nn.Linear(48, 1)

    def forward(self, x):
        return self.logit(self.body(x)).squeeze(1)


def auc(model, x, y):
    model.eval()
    with torch.inference_mode():
        return roc_auc_score(y.numpy(), torch.sigmoid(model(x)).numpy())


def fit(cfg):
    torch.manual_seed(cfg.seed)
    x, y = read_table(BASE / cfg.train_file)
    xv, yv = read_table(BASE / cfg.valid_file)
    mean, std = x.mean(0), x.std(0) + 1e-6
    x, xv = torch.tensor((x - mean) / std), torch.tensor((xv - mean) / std)
    y, yv = torch.tensor(y), torch.tensor(yv)
    log.info("train %d (%.0f%% positive), valid %d", len(x), 100 * y.mean().item(), len(xv))

    model = RiskNet(x.shape[1], cfg.dropout)
    optim = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(cfg.epochs):
        model.train()
        acc = 0.0
        for chunk in torch.randperm(len(x)).split(cfg.batch_size):
            loss = criterion(model(x[chunk]), y[chunk])
            optim.zero_grad()
            loss.backward()
            optim.step()
            acc += loss.item() * len(chunk)
        model.eval()
        with torch.inference_mode():
            vloss = criterion(model(xv), yv).item()
        log.info("epoch %2d  loss %.4f / %.4f  AUC %.3f / %.3f",
                 epoch + 1, acc / len(x), vloss, auc(model, x, y), auc(model, xv, yv))
    log.info("validation AUC %.3f", auc(model, xv, yv))


if __name__ == "__main__":
    fit(Settings())
