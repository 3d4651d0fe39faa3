import tomllib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, features, target, context, horizon):
        self.f, self.t, self.c, self.h = features, target, context, horizon

    def __len__(self):
        return len(self.t) - self.c - self.h + 1

    def __getitem__(self, i):
        j = i + self.c
        return self.f[i:j].T, self.t[j:j + self.h]


class Causal(nn.Module):
    def __init__(self, channels, kernel, dilation):
        super().__init__()
        self.pad = (kernel - 1) * dilation
        self.conv = nn.Conv1d(channels, channels, kernel, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        h = torch.relu(self.conv(nn.functional.pad(x, (self.pad, 0))))
        return x + self.mix(h)


class TCN(nn.Module):
    def __init__(self, n_features, horizon, channels, kernel, dilations):
        super().__init__()
        self.inp = nn.Conv1d(n_features, channels, 1)
        self.body = nn.Sequential(*[Causal(channels, kernel, d) for d in dilations])
        self.out = nn.Sequential(nn.ReLU(), nn.Linear(channels, 48), nn.ReLU(), nn.Linear(48, horizon))

    def forward(self, x):
        return self.out(self.body(self.inp(x))[:, :, -1])


def features(table):
    hour, temp, load = table.T
    day = 2 * np.pi * hour / 24
    weekend = ((hour // 24) % 7 >= 5).astype(float)
    return np.stack([load, temp, np.sin(day), np.cos(day), weekend], 1)


def main():
    with open("forecast.toml", "rb") as f:
        cfg = tomllib.load(f)
    s, fit = cfg["series"], cfg["fit"]
    torch.manual_seed(fit["seed"])
    raw = features(np.loadtxt(s["file"], delimiter=",", skiprows=1))
    week = 24 * 7
    test_at = len(raw) - s["test_weeks"] * week
    val_at = test_at - s["val_weeks"] * week
    mu, sd = raw[:val_at].mean(0), raw[:val_at].std(0)
    z = torch.from_numpy(((raw - mu) / sd).astype(np.float32))

    def make(a, b):
        return Windows(z[a:b], z[a:b, 0], s["context"], s["horizon"])

    train = DataLoader(make(0, val_at), fit["batch"], shuffle=True)
    val = DataLoader(make(val_at, test_at), 512)
    test = DataLoader(make(test_at, len(z)), 512)

    net = TCN(z.shape[1], s["horizon"], **cfg["network"])
    opt = torch.optim.Adam(net.parameters(), lr=fit["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, fit["epochs"])
    loss_fn = nn.MSELoss()

    @torch.no_grad()
    def score(loader):
        net.eval()
        sq = ab = n = 0.0
        for x, y in loader:
            e = net(x) - y
            sq, ab, n = sq + e.square().sum().item(), ab + e.abs().sum().item(), n + e.numel()
        return sq / n, ab / n * sd[0]

    for epoch in range(1, fit["epochs"] + 1):
        net.train()
        run = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = loss_fn(net(x), y)
            loss.backward()
            opt.step()
            run += loss.item()
        sched.step()
        print("epoch %2d  mse train %.4f  val %.4f  val mae %.1f MW" % (epoch, run / len(train), *score(val)))

    load = raw[test_at:, 0]
    naive = np.abs(load[24:] - load[:-24]).mean()
    print("test mse %.4f mae %.1f MW;" % score(test), f"same hour yesterday: {naive:.1f} MW; spread {sd[0]:.1f} MW")


if __name__ == "__main__":
    main()
