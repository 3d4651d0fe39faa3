import argparse
import math
import os

import numpy as np
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
HISTORY, HORIZON = 72, 6


class CausalConv(nn.Module):
    def __init__(self, c_in, c_out, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(c_in, c_out, 3, dilation=dilation)
        self.skip = nn.Conv1d(c_in, c_out, 1) if c_in != c_out else nn.Identity()
        self.norm = nn.GroupNorm(4, c_out)

    def forward(self, x):
        h = self.conv(nn.functional.pad(x, (self.pad, 0)))
        return self.skip(x) + torch.relu(self.norm(h))


class TCN(nn.Module):
    def __init__(self, channels=24, levels=5):
        super().__init__()
        layers, c = [], 3
        for k in range(levels):
            layers.append(CausalConv(c, channels, 2 ** k))
            c = channels
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(channels, HORIZON)

    def forward(self, x):
        return self.out(self.body(x)[:, :, -1])


def load_windows():
    raw = np.genfromtxt(os.path.join(HERE, "gauge.csv"), delimiter=",", skip_header=1)[:, 1:]
    cut = int(0.8 * len(raw))
    mu, sd = raw[:cut].mean(0), raw[:cut].std(0)
    z = ((raw - mu) / sd).astype(np.float32)

    def windows(a):
        n = len(a) - HISTORY - HORIZON
        x = np.stack([a[i:i + HISTORY].T for i in range(n)])
        y = np.stack([a[i + HISTORY:i + HISTORY + HORIZON, 0] for i in range(n)])
        return torch.from_numpy(x), torch.from_numpy(y)

    return windows(z[:cut]), windows(z[cut:]), float(sd[0])


def lr_at(step, total, peak, warmup):
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))


def train_step(model, x, y, lr, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=args.momentum, nesterov=True)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def rmse_cm(model, x, y, sd):
    model.eval()
    err = torch.cat([model(xb) - yb for xb, yb in zip(x.split(512), y.split(512))])
    model.train()
    return 100 * sd * err.pow(2).mean().sqrt().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.001)
    p.add_argument("--momentum", type=float, default=0.98)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()
    torch.manual_seed(args.seed)

    (x_tr, y_tr), (x_va, y_va), sd = load_windows()
    persistence = 100 * sd * (x_va[:, 0, -1:] - y_va).pow(2).mean().sqrt().item()
    print(f"{len(x_tr)} training windows, persistence RMSE {persistence:.1f} cm")

    model = TCN()
    per_epoch = len(x_tr) // args.batch
    total, step = args.epochs * per_epoch, 0
    for epoch in range(args.epochs):
        perm = torch.randperm(len(x_tr))
        losses = []
        for b in range(per_epoch):
            idx = perm[b * args.batch:(b + 1) * args.batch]
            lr = lr_at(step, total, args.lr, warmup=40)
            losses.append(train_step(model, x_tr[idx], y_tr[idx], lr, args))
            step += 1
        print(f"epoch {epoch}: lr {lr:.5f} mse {np.mean(losses):.4f} val rmse {rmse_cm(model, x_va, y_va, sd):.2f} cm")


if __name__ == "__main__":
    main()
