"""Match spectra to assay read-outs of the same compound (two-tower InfoNCE)."""
from argparse import ArgumentParser
from itertools import count
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, d_in, width, d_out):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, width), nn.ReLU(), nn.Linear(width, d_out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, d_a, d_b, width=64, d=16):
        super().__init__()
        self.a, self.b = Tower(d_a, width, d), Tower(d_b, width, d)
        self.log_temp = nn.Parameter(torch.tensor(2.0))

    def similarity(self, a, b):
        return self.log_temp.exp() * self.a(a) @ self.b(b).T

    def loss(self, a, b):
        s = self.similarity(a, b)
        t = torch.arange(len(s))
        return (F.cross_entropy(s, t) + F.cross_entropy(s.T, t)) / 2


def stream(a, b, size):
    for _ in count():
        for idx in torch.randperm(len(a)).split(size):
            if len(idx) == size:
                yield a[idx], b[idx]


def main(argv=None):
    ap = ArgumentParser()
    ap.add_argument("--max-steps", type=int, default=1500)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--log-every", type=int, default=20)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args(argv)
    torch.manual_seed(a.seed)

    z = np.load(Path(__file__).with_name("pairs.npz"))
    spec, assay = (torch.tensor(z[k].astype(np.float32)) for k in ("spectra", "assay"))
    spec, assay = ((v - v[:1400].mean(0)) / v[:1400].std(0) for v in (spec, assay))
    tr, te = slice(0, 1400), slice(1400, None)

    net = TwoTower(spec.shape[1], assay.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    for step, (x, y) in enumerate(stream(spec[tr], assay[tr], a.batch), 1):
        net.train()
        loss = net.loss(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % a.log_every == 0 or step == a.max_steps:
            net.eval()
            with torch.no_grad():
                s = net.similarity(spec[te], assay[te])
                hit = (s.argmax(1) == torch.arange(len(s))).float().mean().item()
                vl = np.mean([net.loss(u, v).item() for u, v in
                              zip(spec[te].split(60), assay[te].split(60))])
            print(f"step {step:5d}  loss {loss.item():.4f}  held-out {vl:.4f}  recall@1 {hit:.3f}")
        if step >= a.max_steps:
            break


if __name__ == "__main__":
    main()
