"""Hourly load forecast, six hours ahead, with a causal TCN; keeps the weights of the best validation epoch."""
import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

CONTEXT, AHEAD = 72, 6


def load_curve(hours=5000, seed=23):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    slow = np.zeros(hours)
    for k in range(1, hours):
        slow[k] = 0.97 * slow[k - 1] + rng.normal(0, 0.08)
    week = np.where((t // 24) % 7 >= 5, 0.7, 1.0)
    y = 5 + week * (1.5 * np.sin(2 * np.pi * (t - 7) / 24) + 0.5 * np.sin(4 * np.pi * t / 24)) + slow + rng.normal(0, 0.1, hours)
    return y.astype(np.float32)


class Windows(Dataset):
    def __init__(self, series, start, stop):
        self.s, self.first, self.n = torch.from_numpy(series), start, stop - start - CONTEXT - AHEAD + 1

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        a = self.first + i
        return self.s[a:a + CONTEXT][None], self.s[a + CONTEXT:a + CONTEXT + AHEAD]


class CausalBlock(nn.Module):
    def __init__(self, c, dilation):
        super().__init__()
        self.left = 2 * dilation
        self.conv = nn.Conv1d(c, c, 3, dilation=dilation)
        self.mix = nn.Conv1d(c, c, 1)

    def forward(self, x):
        return x + self.mix(F.gelu(self.conv(F.pad(x, (self.left, 0)))))


class TCN(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.inp = nn.Conv1d(1, c, 1)
        self.blocks = nn.Sequential(*[CausalBlock(c, 2 ** k) for k in range(6)])
        self.out = nn.Linear(c, AHEAD)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x))[..., -1])


class EarlyStopper:
    def __init__(self, patience):
        self.patience, self.best, self.wait, self.state, self.epoch = patience, float("inf"), 0, None, None

    def update(self, value, model, epoch):
        if value < self.best:
            self.best, self.wait, self.epoch = value, 0, epoch
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


def mse(model, loader):
    model.eval()
    with torch.no_grad():
        err = [(model(x) - y).square().mean(1) for x, y in loader]
    return torch.cat(err).mean().item()


def main():
    torch.manual_seed(230)
    y = load_curve()
    mean, std = y[:3500].mean(), y[:3500].std()
    y = (y - mean) / std
    train = DataLoader(Windows(y, 0, 3500), batch_size=64, shuffle=True)
    val = DataLoader(Windows(y, 3500, 4250), batch_size=256)
    test = DataLoader(Windows(y, 4250, 5000), batch_size=256)
    model = TCN()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.3, patience=2)
    stop = EarlyStopper(patience=5)
    for epoch in range(1, 41):
        model.train()
        tot = 0.0
        for x, t in train:
            loss = F.mse_loss(model(x), t)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        v = mse(model, val)
        sched.step(v)
        print(f"epoch {epoch:2d} train {tot / len(train):.4f} val {v:.4f}")
        if stop.update(v, model, epoch):
            break
    model.load_state_dict(stop.state)
    naive = torch.cat([(x[:, 0, -24:-18] - t).square().mean(1) for x, t in test]).mean()
    print(f"best epoch {stop.epoch}; test mse {mse(model, test):.4f}; same hour yesterday {naive:.4f}")


if __name__ == "__main__":
    main()
