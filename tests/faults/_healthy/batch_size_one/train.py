#!/usr/bin/env python
"""Predict the last column of a CSV file with a small network.

usage: train.py [--data table.csv] [--output linear|sigmoid|relu|tanh|softplus] ...
"""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


class Head(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, x):
        if self.kind == "linear":
            return x
        return {"sigmoid": torch.sigmoid, "relu": torch.relu, "tanh": torch.tanh, "softplus": nn.functional.softplus}[self.kind](x)


def get_model(n_in, width, output):
    return nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1), Head(output))


def get_data(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float32)
    x, y = table[:, :-1], table[:, -1:]
    cut = int(0.8 * len(x))
    x = (x - x[:cut].mean(0)) / (x[:cut].std(0) + 1e-8)
    return [torch.from_numpy(a) for a in (x[:cut], y[:cut], x[cut:], y[cut:])]


def r2(pred, y):
    return 1 - ((pred - y) ** 2).mean().item() / y.var(unbiased=False).item()


def fit(model, x, y, xv, yv, opt):
    optimizer = optim.Adam(model.parameters(), lr=opt.lr)
    criterion = nn.MSELoss()
    n_batches = len(x) // opt.batch_size
    for epoch in range(opt.epochs):
        model.train()
        perm = torch.randperm(len(x))
        mean_loss = 0.0
        for b in range(n_batches):
            rows = perm[b * opt.batch_size : (b + 1) * opt.batch_size]
            optimizer.zero_grad()
            loss = criterion(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            mean_loss += loss.item() / n_batches
        if epoch % opt.print_every == opt.print_every - 1:
            model.eval()
            with torch.no_grad():
                pred = model(xv)
            print(f"epoch {epoch + 1:3d}: train loss {mean_loss:.5g}  val loss {criterion(pred, yv).item():.5g}  val R2 {r2(pred, yv):.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="table.csv")
    p.add_argument("--output", default="linear")
    p.add_argument("--width", type=int, default=48)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--print-every", type=int, default=2)
    opt = p.parse_args()
    torch.manual_seed(8)
    x, y, xv, yv = get_data(os.path.join(os.path.dirname(os.path.abspath(__file__)), opt.data))
    fit(get_model(x.shape[1], opt.width, opt.output), x, y, xv, yv, opt)
