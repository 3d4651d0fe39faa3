"""Adapt the regional load forecaster to a newly connected substation.

usage: adapt.py [--weights FILE] [--series FILE] [--lr F] [--epochs N]
"""
import argparse
import os

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

BASE = os.path.dirname(os.path.abspath(__file__))
CONTEXT, HORIZON = 96, 24


class Mixer(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.enc = nn.Linear(CONTEXT, hidden)
        self.block1 = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.block2 = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.dec = nn.Linear(hidden, HORIZON)

    def forward(self, x):
        h = self.enc(x)
        h = h + self.block1(h)
        h = h + self.block2(h)
        return self.dec(h)


class WindowSet(torch.utils.data.Dataset):
    def __init__(self, series, start, stop):
        self.s, self.start = series, start
        self.n = stop - start - CONTEXT - HORIZON + 1

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        i += self.start
        return self.s[i:i + CONTEXT], self.s[i + CONTEXT:i + CONTEXT + HORIZON]


def restore(path):
    blob = torch.load(path, map_location="cpu", weights_only=True)
    with torch.device("meta"):
        net = Mixer()
    net.load_state_dict(blob, assign=True)
    return net.requires_grad_(True)


def run_validation(net, loader, dtype):
    net.eval()
    err = []
    with torch.no_grad():
        for ctx, fut in loader:
            err.append(F.mse_loss(net(ctx.to(dtype)).float(), fut, reduction="none").mean(1))
    net.train()
    return torch.cat(err).mean().item()


def main(args):
    torch.manual_seed(41)
    raw = torch.from_numpy(np.load(os.path.join(BASE, args.series)).astype(np.float32))
    cut = int(0.75 * len(raw))
    series = (raw - raw[:cut].mean()) / raw[:cut].std()
    train = torch.utils.data.DataLoader(WindowSet(series, 0, cut), batch_size=32, shuffle=True)
    valid = torch.utils.data.DataLoader(WindowSet(series, cut, len(series)), batch_size=256)

    net = restore(os.path.join(BASE, args.weights))
    dtype = next(net.parameters()).dtype
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.01)
    anneal = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))
    print("before adaptation: valid mse %.4f" % run_validation(net, valid, dtype))
    for epoch in range(args.epochs):
        tot = cnt = 0
        for ctx, fut in train:
            out = net(ctx.to(dtype))
            loss = F.mse_loss(out.float(), fut)
            opt.zero_grad()
            loss.backward()
            opt.step()
            anneal.step()
            tot += loss.item() * len(ctx)
            cnt += len(ctx)
        print("epoch %d  train mse %.4f  valid mse %.4f" % (epoch, tot / cnt, run_validation(net, valid, dtype)))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--weights", default="regional.pt")
    p.add_argument("--series", default="substation.npy")
    p.add_argument("--lr", type=float, default=6e-5)
    p.add_argument("--epochs", type=int, default=14)
    main(p.parse_args())
