"""Malignant/benign classifier on nuclear measurements."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from dataset import complete_cases, split


class Trainer:
    def __init__(self, net, lr, weight_decay):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=weight_decay)
        self.criterion = nn.BCEWithLogitsLoss()

    def fit_epoch(self, loader):
        self.net.train()
        total, n = 0.0, 0
        for x, y in loader:
            self.opt.zero_grad()
            loss = self.criterion(self.net(x).squeeze(1), y)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(x)
            n += len(x)
        return total / n

    @torch.no_grad()
    def score(self, x, y):
        self.net.eval()
        logit = self.net(x).squeeze(1)
        acc = ((logit > 0).float() == y).float().mean().item()
        return self.criterion(logit, y).item(), acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--weight-decay", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=8)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    x, y = complete_cases()
    (xt, yt), (xv, yv) = split(x, y, 0.25, seed=a.seed)
    xt, yt, xv, yv = map(torch.from_numpy, (xt, yt, xv, yv))
    print(f"{len(xt)} training samples, {len(xv)} test samples, {xt.shape[1]} measurements")
    loader = DataLoader(TensorDataset(xt, yt), batch_size=a.batch_size, shuffle=True)
    net = nn.Sequential(nn.Linear(xt.shape[1], 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1))
    trainer = Trainer(net, a.lr, a.weight_decay)
    for e in range(a.epochs):
        tl = trainer.fit_epoch(loader)
        vl, va = trainer.score(xv, yv)
        print(f"{e + 1:3d} | train {tl:.4f} | test {vl:.4f} | test accuracy {va:.3f}")


if __name__ == "__main__":
    main()
