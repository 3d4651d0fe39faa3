"""Six-hour-ahead load forecast with a small dilated convolution over the past two days."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

CONTEXT, AHEAD = 24 * 7 + 24, 6


class Windows(Dataset):
    def __init__(self, series, begin, end):
        """Windows whose targets lie in [begin, end)."""
        self.s = torch.tensor(series, dtype=torch.float32)
        self.first = max(begin, CONTEXT)
        self.n = end - AHEAD - self.first + 1

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        t = self.first + i
        return self.s[t - CONTEXT:t], self.s[t:t + AHEAD]


class CausalConv(nn.Module):
    def __init__(self, cin, cout, k, dilation):
        super().__init__()
        self.pad = (k - 1) * dilation
        self.conv = nn.Conv1d(cin, cout, k, dilation=dilation)

    def forward(self, x):
        return self.conv(F.pad(x, (self.pad, 0)))


class Forecaster(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 1)
        self.blocks = nn.ModuleList(CausalConv(ch, ch, 3, 2 ** i) for i in range(4))
        self.head = nn.Linear(ch + 2 * AHEAD, AHEAD)

    def forward(self, x):
        last = x[:, -1:]
        h = self.inp(x[:, None, -48:] - last[:, None])
        for block in self.blocks:
            h = h + F.relu(block(h))
        # same hours yesterday and one week ago, relative to now
        day = x[:, -24:-24 + AHEAD] - last
        week = x[:, -168:-168 + AHEAD] - x[:, -169:-168]
        return last + self.head(torch.cat([h[:, :, -1], day, week], 1))


def mae(net, loader, unit):
    net.eval()
    with torch.no_grad():
        return torch.cat([(net(x) - y).abs() for x, y in loader]).mean().item() * unit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--series", type=Path, default=Path("data/load_mw.txt"))
    ap.add_argument("--epochs", type=int, default=18)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--batch", type=int, default=64)
    a = ap.parse_args()
    torch.manual_seed(1)
    raw = np.loadtxt(a.series)
    n = len(raw)
    cut1, cut2 = int(0.7 * n), int(0.82 * n)
    mean, std = raw[:cut1].mean(), raw[:cut1].std()
    z = (raw - mean) / std
    train = Windows(z, 0, cut1)
    val, test = Windows(z, cut1, cut2), Windows(z, cut2, n)
    loader = DataLoader(train, a.batch, shuffle=True)
    vl, tl = DataLoader(val, 512), DataLoader(test, 512)
    net = Forecaster()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for ep in range(a.epochs):
        net.train()
        tot = 0.0
        for x, y in loader:
            loss = F.smooth_l1_loss(net(x), y, beta=0.3)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(x)
        sched.step()
        print(f"epoch {ep + 1:2d} loss {tot / len(train):.5f} val MAE {mae(net, vl, std):.2f} MW")
    naive = torch.cat([(x[:, -168:-168 + AHEAD] - x[:, -169:-168] + x[:, -1:] - y).abs() for x, y in tl]).mean().item() * std
    print(f"test MAE {mae(net, tl, std):.2f} MW (last week's changes: {naive:.2f} MW)")


if __name__ == "__main__":
    main()
