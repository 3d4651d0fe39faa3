"""Learned forward model of a planar three-joint arm: joint angles -> end effector position."""
import argparse
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*layers, nn.Linear(*sizes[-2:]))


class Standardizer:
    def __init__(self, a):
        self.mean, self.std = a.mean(0), a.std(0)

    def __call__(self, a):
        return (a - self.mean) / self.std


def main(cfg):
    torch.manual_seed(cfg["run"]["seed"])
    table = torch.from_numpy(np.load("sweeps.npy"))
    n_val = cfg["data"]["validation_rows"]
    train, valid = table[:-n_val], table[-n_val:]
    sx, sy = Standardizer(train[:, :3]), Standardizer(train[:, 3:])
    x, y = sx(train[:, :3]), sy(train[:, 3:])
    xv, yv = sx(valid[:, :3]), sy(valid[:, 3:])

    net = mlp([3, *cfg["model"]["hidden"], 2])
    t = cfg["train"]
    bs = t["batch_size"]
    opt = torch.optim.Adam(net.parameters(), lr=t["lr"])
    n_steps = t["epochs"] * (len(x) // bs)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=t["lr"], total_steps=n_steps, pct_start=0.2)
    mse = nn.MSELoss()

    for epoch in range(t["epochs"]):
        net.train()
        acc = 0.0
        for idx in torch.randperm(len(x))[: len(x) // bs * bs].view(-1, bs):
            loss = mse(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            acc += loss.item()
        if epoch % 5 == 4:
            net.eval()
            with torch.no_grad():
                val = mse(net(xv), yv).item()
            print(f"epoch {epoch + 1:3d}  mse {acc / (len(x) // bs):.5f}  held-out {val:.5f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="arm.toml")
    main(tomllib.loads(Path(ap.parse_args().config).read_text()))
