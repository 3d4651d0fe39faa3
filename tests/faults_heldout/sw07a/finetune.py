"""Start from the size-estimation model and train the whole network to recognise shapes."""
import argparse
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import pointnet
from shapes import NAMES, make_clouds


@dataclass
class Config:
    start_from: str = "size_model.pt"
    lr: float = 2e-3
    epochs: int = 30
    batch: int = 32
    points: int = 96
    n_train: int = 1600
    n_val: int = 400
    seed: int = 0


def load_model(path, n_out):
    model = torch.load(path, weights_only=False)
    model.head = nn.Linear(model.head.in_features, n_out)
    return model


def main(cfg):
    torch.manual_seed(cfg.seed)
    x, y = make_clouds(cfg.n_train + cfg.n_val, cfg.points, 0.02, seed=5)
    train = DataLoader(TensorDataset(x[:cfg.n_train], y[:cfg.n_train]), cfg.batch, shuffle=True, drop_last=True)
    xv, yv = x[cfg.n_train:], y[cfg.n_train:]

    model = load_model(Path(__file__).parent / cfg.start_from, len(NAMES))
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr, total_steps=cfg.epochs * len(train))
    ce = nn.CrossEntropyLoss()

    for epoch in range(cfg.epochs):
        model.train()
        running = 0.0
        for clouds, labels in train:
            opt.zero_grad()
            loss = ce(model(clouds), labels)
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        model.eval()
        with torch.no_grad():
            logits = model(xv)
        acc = (logits.argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch + 1:2d}: train {running / len(train):.4f}  val {ce(logits, yv).item():.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=0)
    main(Config(seed=ap.parse_args().seed))
