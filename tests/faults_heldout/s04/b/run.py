#!/usr/bin/env python
import argparse, time
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def get_args():
    ap = argparse.ArgumentParser(description="MLP on 8x8 digits")
    ap.add_argument("--hidden", type=int, nargs="+", default=[128, 128, 64])
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--bs", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=30)
    return ap.parse_args()


class MLP(nn.Module):
    def __init__(self, dims, p):
        super().__init__()
        layers = []
        for i in range(len(dims) - 2):
            layers += [nn.Linear(dims[i], dims[i + 1]), nn.GELU(), nn.Dropout(p)]
        layers.append(nn.Linear(dims[-2], dims[-1]))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def fit_epoch(self, X, y, bs):
        self.model.train()
        s = 0.0
        for idx in torch.randperm(len(X)).split(bs):
            self.opt.zero_grad()
            loss = self.crit(self.model(X[idx]), y[idx])
            loss.backward()
            self.opt.step()
            s += loss.item() * len(idx)
        return s / len(X)

    @torch.no_grad()
    def score(self, X, y):
        self.model.eval()
        out = self.model(X)
        return self.crit(out, y).item(), (out.argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    a = get_args()
    torch.manual_seed(21)
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X / 8.0 - 1.0, dtype=torch.float32)
    y = torch.tensor(y)
    itr, iva = train_test_split(range(len(X)), test_size=0.2, random_state=0, stratify=y)
    tr = Trainer(MLP([64, *a.hidden, 10], a.dropout), a.lr)
    t0 = time.time()
    for e in range(a.epochs):
        l = tr.fit_epoch(X[itr], y[itr], a.bs)
        vl, acc = tr.score(X[iva], y[iva])
        print("epoch %2d  loss %.3f  val %.3f  acc %.3f  (%.1fs)" % (e, l, vl, acc, time.time() - t0))
