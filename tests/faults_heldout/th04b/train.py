"""Predict the overall efficiency (percent) of a pump from operating data."""
import argparse
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, default=Path("pumps.csv"))
    ap.add_argument("--epochs", type=int, default=150)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--monitor", choices=["loss", "mae", "r2"], default="loss")
    ap.add_argument("--mode", choices=["min", "max"], default="min")
    ap.add_argument("--patience", type=int, default=20)
    ap.add_argument("--seed", type=int, default=0)
    return ap.parse_args()


class Stopper:
    def __init__(self, mode, patience):
        self.sign = 1.0 if mode == "min" else -1.0
        self.patience = patience
        self.best, self.wait, self.weights = float("inf"), 0, None

    def update(self, value, model):
        if self.sign * value < self.best:
            self.best, self.wait = self.sign * value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


@torch.no_grad()
def evaluate(model, x, y, scale):
    model.eval()
    err = model(x).squeeze(1) - y
    return {
        "loss": err.square().mean().item(),
        "mae": (err.abs().mean() * scale).item(),
        "r2": (1 - err.square().sum() / (y - y.mean()).square().sum()).item(),
    }


def main():
    args = parse()
    torch.manual_seed(args.seed)
    table = torch.from_numpy(np.loadtxt(args.data, delimiter=",", skiprows=1, dtype=np.float32))
    table = table[torch.randperm(len(table), generator=torch.Generator().manual_seed(1))]
    n = len(table)
    parts = table.split([n - 2 * (n // 6), n // 6, n // 6])
    mean, std = parts[0].mean(0), parts[0].std(0)
    (x, y), valid, test = [((p[:, :-1] - mean[:-1]) / std[:-1], (p[:, -1] - mean[-1]) / std[-1]) for p in parts]

    model = nn.Sequential(nn.Linear(x.shape[1], 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    stopper = Stopper(args.mode, args.patience)

    for epoch in range(1, args.epochs + 1):
        model.train()
        for idx in torch.randperm(len(x)).split(64):
            loss = (model(x[idx]).squeeze(1) - y[idx]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scores = evaluate(model, *valid, std[-1])
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  " + "  ".join(f"val_{k} {v:.4f}" for k, v in scores.items()))
        if stopper.update(scores[args.monitor], model):
            print(f"stopped after epoch {epoch}")
            break

    model.load_state_dict(stopper.weights)
    scores = evaluate(model, *test, std[-1])
    print("test  " + "  ".join(f"{k} {v:.4f}" for k, v in scores.items()))


if __name__ == "__main__":
    main()
