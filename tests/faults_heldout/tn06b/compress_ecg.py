#!/usr/bin/env python
"""Lossy compression of heart beats for a telemetry patch: 128 samples -> a code of a few floats.

usage: compress_ecg.py [--epochs N] [--code 12]
"""
import argparse

import numpy as np
import torch
import torch.nn as nn

LENGTH = 128
KINDS, SHARE = ["N", "V", "S", "ST"], [0.7, 0.12, 0.08, 0.1]


def wave(t, centre, width, height):
    return height * np.exp(-0.5 * ((t - centre) / width) ** 2)


def beat(rng, kind="N"):
    """One beat around the R peak: P, Q, R, S, T as bumps (as in McSharry's ECGSYN), plus wander and noise."""
    t = np.linspace(-0.35, 0.55, LENGTH)
    v = lambda m, s: m * rng.normal(1, s)
    p, qrs, tw = v(0.15, 0.2), v(0.011, 0.1), v(0.3, 0.2)
    pos_t = rng.normal(0.29, 0.015)
    r = v(1.0, 0.1)
    if kind == "V":                       # ventricular: no P, broad QRS, T against it
        p, qrs, tw = 0.0, qrs * rng.uniform(1.7, 2.6), -0.8 * tw
    elif kind == "S":                     # supraventricular: early, flat P
        p, pos_t = p * 0.2, pos_t - 0.05
    elif kind == "ST":                    # depression after the S wave
        tw *= 0.6
    x = wave(t, rng.normal(-0.17, 0.012), 0.022, p) + wave(t, -0.028, qrs * 0.9, v(-0.12, 0.2))
    x += wave(t, 0, qrs, r) + wave(t, 0.03, qrs, v(-0.22, 0.2)) + wave(t, pos_t, v(0.045, 0.1), tw)
    if kind == "ST":
        x += wave(t, 0.13, 0.05, -rng.uniform(0.12, 0.25))
    x += 0.05 * rng.normal() * np.sin(2 * np.pi * 0.4 * t + rng.uniform(0, 6.3))
    return x + rng.normal(0, 0.02, LENGTH)


def beats(rng, kinds):
    return torch.tensor(np.stack([beat(rng, k) for k in kinds]), dtype=torch.float32)[:, None]


class Autoencoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        down = lambda i, o: nn.Sequential(nn.Conv1d(i, o, 7, stride=2, padding=3), nn.ELU())
        up = lambda i, o: nn.Sequential(nn.ConvTranspose1d(i, o, 8, stride=2, padding=3), nn.ELU())
        self.encoder = nn.Sequential(down(1, 12), down(12, 16), down(16, 16), nn.Flatten(), nn.Linear(16 * 16, code))
        self.decoder = nn.Sequential(nn.Linear(code, 16 * 16), nn.ELU(), nn.Unflatten(1, (16, 16)),
                                     up(16, 16), up(16, 12), nn.ConvTranspose1d(12, 1, 8, stride=2, padding=3))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def percent_rms_difference(x, y):
    """PRD, the usual distortion measure for compressed ECG, one value per beat."""
    return (100 * ((x - y).pow(2).sum((1, 2)) / x.pow(2).sum((1, 2))).sqrt()).numpy()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--code", type=int, default=12)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()

    rng = np.random.default_rng(args.seed)
    torch.manual_seed(args.seed)
    train = beats(rng, rng.choice(KINDS, 1600, p=SHARE))
    valid = beats(rng, rng.choice(KINDS, 300, p=SHARE))
    kinds = rng.choice(KINDS, 600, p=SHARE)
    test = beats(rng, kinds)

    mean, std = train.mean(), train.std()
    train, valid, test = [(s - mean) / std for s in (train, valid, test)]

    net = Autoencoder(args.code)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    mse = nn.MSELoss()

    for epoch in range(args.epochs):
        net.train()
        losses = []
        for chunk in torch.randperm(len(train)).split(args.batch_size):
            x = train[chunk]
            loss = mse(net(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            v = mse(net(valid), valid).item()
        print(f"[{epoch + 1:02d}/{args.epochs}] train {np.mean(losses):.4f}  valid {v:.4f}")

    with torch.no_grad():
        prd = percent_rms_difference(test, net(test))
    print(f"test PRD {prd.mean():.1f} %  (" + ", ".join(f"{k} {prd[kinds == k].mean():.1f}" for k in KINDS) + ")")


if __name__ == "__main__":
    main()
