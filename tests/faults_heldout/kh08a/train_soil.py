"""Predict soil class from field-sensor readings."""
import csv

import numpy as np
import torch
from torch import nn

EPOCHS, BATCH, LR = 40, 64, 1e-3


def read(path):
    with open(path, newline="") as fh:
        it = csv.reader(fh)
        header = next(it)
        rows = np.array([[float(v) for v in r] for r in it])
    return header, rows[:, 1:-1].astype(np.float32), rows[:, -1].astype(np.int64)


class Standardize:
    def __init__(self, x):
        self.m, self.s = x.mean(0), x.std(0) + 1e-8

    def __call__(self, x):
        return torch.from_numpy((x - self.m) / self.s)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d))

    def forward(self, x):
        return x + self.f(x)


def main():
    torch.manual_seed(21)
    header, xt, yt = read("fields_train.csv")
    _, xv, yv = read("fields_valid.csv")
    prep = Standardize(xt)
    xt, xv, yt, yv = prep(xt), prep(xv), torch.from_numpy(yt), torch.from_numpy(yv)
    k = int(yt.max()) + 1
    print(len(xt), "train rows", len(xv), "validation rows", k, "classes", header[1:-1])
    net = nn.Sequential(nn.Linear(xt.shape[1], 96), Block(96), Block(96), nn.Linear(96, k))
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    for ep in range(EPOCHS):
        net.train()
        tot, right = 0.0, 0
        for b in torch.randperm(len(xt)).split(BATCH):
            out = net(xt[b])
            loss = nn.functional.cross_entropy(out, yt[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
            right += (out.argmax(1) == yt[b]).sum().item()
        sched.step()
        if ep % 10 == 9:
            net.eval()
            with torch.no_grad():
                out = net(xv)
            print(f"{ep + 1}: train {tot / len(xt):.3f} acc {right / len(xt):.3f} | "
                  f"valid {nn.functional.cross_entropy(out, yv).item():.3f} acc {(out.argmax(1) == yv).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
