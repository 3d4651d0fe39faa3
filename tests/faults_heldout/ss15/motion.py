#!/usr/bin/env python
"""Wrist motion: many recordings, few with an activity label.

stage 1  fill in hidden stretches of a recording (encoder + filler)
stage 2  linear read-out of the activity on top of the encoder, which is kept as it is
"""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASE = os.path.dirname(os.path.abspath(__file__))


class MotionNet(nn.Module):
    def __init__(self, channels=3, width=32, activities=5):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(channels + 1, width, 5, padding=2), nn.BatchNorm1d(width), nn.GELU(),
            nn.Conv1d(width, width, 5, padding=4, dilation=2), nn.BatchNorm1d(width), nn.GELU(),
            nn.Conv1d(width, width, 5, padding=8, dilation=4), nn.BatchNorm1d(width), nn.GELU())
        self.filler = nn.Conv1d(width, channels, 1)
        self.readout = nn.Linear(2 * width, activities)

    def encode(self, x, hidden):
        flag = hidden.unsqueeze(1).float()
        return self.encoder(torch.cat([x * (1 - flag), flag], 1))

    def fill(self, x, hidden):
        return self.filler(self.encode(x, hidden))

    def classify(self, x):
        h = self.encode(x, torch.zeros(len(x), x.shape[-1], dtype=torch.bool))
        return self.readout(torch.cat([h.mean(-1), h.std(-1)], 1))


def stretches(n, length, gen, count=3, span=5):
    hidden = torch.zeros(n, length, dtype=torch.bool)
    for _ in range(count):
        a = torch.randint(0, length - span + 1, (n, 1), generator=gen)
        hidden.scatter_(1, a + torch.arange(span), True)
    return hidden


def fill_error(net, x, hidden):
    d = (net.fill(x, hidden) - x).pow(2).mean(1)
    return d[hidden].mean()


def stage_one(net, x, held, epochs=12, batch=50, lr=4e-3):
    gen = torch.Generator().manual_seed(7)
    fixed = stretches(len(held), held.shape[-1], torch.Generator().manual_seed(1))
    params = list(net.encoder.parameters()) + list(net.filler.parameters())
    opt = torch.optim.AdamW(params, lr=lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    print(f"stage 1: variance to explain {held.var():.3f}")
    for e in range(epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(batch):
            loss = fill_error(net, x[idx], stretches(len(idx), x.shape[-1], gen))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        net.eval()
        with torch.no_grad():
            v = fill_error(net, held, fixed)
        print(f"  epoch {e + 1:2d} fill error {total / len(x):.4f} held-out {v:.4f}")


def stage_two(net, x, y, xt, yt, epochs=40, batch=35, lr=5e-3):
    net.eval()                                   # the encoder's statistics stay too
    for p in net.parameters():
        p.requires_grad_(False)
    for p in net.readout.parameters():
        p.requires_grad_(True)
    opt = torch.optim.Adam(net.readout.parameters(), lr=lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    print("stage 2: 5 activities,", len(x), "labelled recordings")
    for e in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(net.classify(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        if (e + 1) % 5 == 0:
            with torch.no_grad():
                z = net.classify(xt)
            print(f"  epoch {e + 1:2d} loss {total / len(x):.4f} test {F.cross_entropy(z, yt):.4f} "
                  f"accuracy {(z.argmax(1) == yt).float().mean():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    with np.load(os.path.join(BASE, "motion.npz")) as z:
        signal = torch.from_numpy(z["signal"].astype("float32"))
        activity = torch.from_numpy(z["activity"].astype("int64"))
    free = activity == 255
    rest = (~free).nonzero().squeeze(1)
    mean, std = signal[free].mean((0, 2), keepdim=True), signal[free].std((0, 2), keepdim=True)
    signal = (signal - mean) / std
    few, test = rest[:350], rest[350:]

    net = MotionNet()
    stage_one(net, signal[free], signal[test])
    stage_two(net, signal[few], activity[few], signal[test], activity[test])
