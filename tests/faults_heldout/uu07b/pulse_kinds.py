#!/usr/bin/env python
"""1-D residual network for the pulses of the pipeline listening posts.

    python pulse_kinds.py --micro-batch 32 --accumulate 1

The boxes in the field have little memory, so a step can be put together from
several smaller pieces (--accumulate).
"""
import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

KINDS = ("steady", "rising", "falling", "beating", "harmonic")


class Residual(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.conv1 = nn.Conv1d(c_in, c_out, 5, stride, 2, bias=False)
        self.bn1 = nn.BatchNorm1d(c_out)
        self.conv2 = nn.Conv1d(c_out, c_out, 5, 1, 2, bias=False)
        self.bn2 = nn.BatchNorm1d(c_out)
        self.skip = nn.Conv1d(c_in, c_out, 1, stride, bias=False)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.skip(x))


class PulseNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 9, 2, 4)
        self.blocks = nn.Sequential(
            Residual(width, width, 1),
            Residual(width, 2 * width, 2),
            Residual(2 * width, 2 * width, 2),
        )
        self.embed = nn.Sequential(nn.Linear(4 * width, 32, bias=False), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1))
        self.kind = nn.Linear(32, len(KINDS))

    def forward(self, x):
        h = self.blocks(self.stem(x))
        return self.kind(self.embed(torch.cat([h.mean(-1), h.amax(-1)], 1)))


def score(net, x, y):
    net.eval()
    with torch.no_grad():
        z = torch.cat([net(c) for c in x.split(200)])
    return F.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--micro-batch", type=int, default=32)
    ap.add_argument("--accumulate", type=int, default=1, help="pieces per optimizer step")
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--width", type=int, default=12)
    ap.add_argument("--seed", type=int, default=0)
    opt = ap.parse_args()

    torch.manual_seed(opt.seed)
    raw = np.load(pathlib.Path(__file__).with_name("pulses.npz"))
    x = torch.from_numpy(raw["signal"]).float().unsqueeze(1) / 16.0
    y = torch.from_numpy(raw["kind"]).long()
    x_train, y_train, x_val, y_val = x[:1200], y[:1200], x[1200:], y[1200:]

    net = PulseNet(opt.width)
    adam = torch.optim.AdamW(net.parameters(), lr=opt.lr, weight_decay=0.01)
    per_epoch = len(x_train) // (opt.micro_batch * opt.accumulate)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(adam, opt.epochs * per_epoch)
    for epoch in range(1, opt.epochs + 1):
        began = time.perf_counter()
        net.train()
        order = torch.randperm(len(x_train))
        pieces = order.split(opt.micro_batch)
        running = 0.0
        for i in range(per_epoch):
            adam.zero_grad()
            for rows in pieces[i * opt.accumulate:(i + 1) * opt.accumulate]:
                loss = F.cross_entropy(net(x_train[rows]), y_train[rows]) / opt.accumulate
                loss.backward()
                running += loss.item()
            adam.step()
            cosine.step()
        vl, va = score(net, x_val, y_val)
        print(f"{epoch:02d}  train {running / per_epoch:.3f}  val {vl:.3f}  acc {va:.3f}  {time.perf_counter() - began:.1f}s")


if __name__ == "__main__":
    main()
