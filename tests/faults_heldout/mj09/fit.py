"""Inverse kinematics of a one-joint arm: density of the joint angle given the reach."""
import argparse
import csv
import math
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MixtureNet(nn.Module):
    def __init__(self, hidden=40, k=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.weight = nn.Linear(hidden, k)
        self.centre = nn.Linear(hidden, k)
        self.log_scale = nn.Linear(hidden, k)
        with torch.no_grad():
            self.centre.bias.copy_(torch.linspace(-1.5, 1.5, k))

    def log_prob(self, x, y):
        h = self.body(x)
        log_w = self.weight(h).log_softmax(-1)
        s = self.log_scale(h).clamp(-4, 2)
        z = (y - self.centre(h)) * torch.exp(-s)
        return torch.logsumexp(log_w - s - 0.5 * z * z - 0.5 * math.log(2 * math.pi), -1)


def read(path):
    with open(path, newline="") as f:
        rows = [(float(r["reach"]), float(r["joint"])) for r in csv.DictReader(f)]
    t = torch.tensor(rows)
    return t[:, :1], t[:, 1:]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=50)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--seed", type=int, default=9)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    x, y = read(Path(__file__).with_name("arm_calibration.csv"))
    xm, xs, ym, ys = x[:1200].mean(), x[:1200].std(), y[:1200].mean(), y[:1200].std()
    x, z = (x - xm) / xs, (y - ym) / ys
    loader = DataLoader(TensorDataset(x[:1200], z[:1200]), a.batch, shuffle=True)
    net = MixtureNet()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    shift = ys.log().item()
    for epoch in range(a.epochs):
        net.train()
        nll = 0.0
        for xb, zb in loader:
            loss = -net.log_prob(xb, zb).mean() + shift
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            nll += loss.item() * len(xb)
        sched.step()
        net.eval()
        with torch.no_grad():
            held = -net.log_prob(x[1200:], z[1200:]).mean().item() + shift
        print(f"epoch {epoch + 1:2d} nll {nll / 1200:.4f} held-out nll {held:.4f}")


if __name__ == "__main__":
    main()
