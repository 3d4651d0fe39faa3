#!/usr/bin/env python
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def make_gestures(n, T=30, seed=0):
    """3-axis accelerometer snippets of four gestures."""
    g = np.random.default_rng(seed)
    t = np.linspace(0, 1, T)
    X = np.zeros((n, T, 3), np.float32)
    y = g.integers(0, 4, n)
    for i in range(n):
        amp, ph = g.uniform(.7, 1.3), g.uniform(0, .15)
        s, c = np.sin(2 * np.pi * (t + ph)), np.cos(2 * np.pi * (t + ph))
        traj = {0: (s, c, 0 * t), 1: (s, -c, 0 * t), 2: (s, 0 * t, np.abs(c)), 3: (t - .5, s * c, c)}[int(y[i])]
        X[i] = amp * np.stack(traj, 1) + g.normal(0, .35, (T, 3))
    return torch.from_numpy(X), torch.from_numpy(y)


class GestureLSTM(nn.Module):
    def __init__(self, n_feat=3, hidden=48, n_classes=4):
        super().__init__()
        self.lstm = nn.LSTM(n_feat, hidden)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):            # x: (batch, time, feat)
        out, _ = self.lstm(x)
        return self.fc(self.drop(out[:, -1]))


def evaluate(model, loader, loss_fn):
    model.eval()
    with torch.no_grad():
        res = [(loss_fn(model(x), y).item() * len(y), (model(x).argmax(1) == y).sum().item(), len(y)) for x, y in loader]
    n = sum(r[2] for r in res)
    return sum(r[0] for r in res) / n, sum(r[1] for r in res) / n


def main(args):
    torch.manual_seed(args.seed)
    tr = DataLoader(TensorDataset(*make_gestures(1500, seed=1)), batch_size=args.batch_size, shuffle=True)
    va = DataLoader(TensorDataset(*make_gestures(400, seed=2)), batch_size=args.batch_size)
    model = GestureLSTM()
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for ep in range(args.epochs):
        model.train()
        tot = 0
        for x, y in tr:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5)
            opt.step()
            tot += loss.item()
        vl, acc = evaluate(model, va, loss_fn)
        print(f"{ep:02d} | train {tot / len(tr):.3f} | val {vl:.3f} | acc {acc:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch-size", type=int, default=50)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=17)
    main(ap.parse_args())
