"""Next-hour load of a feeder as a set of quantiles."""
import pathlib

import numpy as np
import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

here = pathlib.Path(__file__).parent
cfg = yaml.safe_load((here / "config.yaml").read_text())
torch.manual_seed(cfg["seed"])


def windows(series, lags):
    x = series.unfold(0, lags + 1, 1)
    hour = torch.arange(lags, len(series)) % 24
    clock = torch.stack([torch.sin(hour * 2 * np.pi / 24), torch.cos(hour * 2 * np.pi / 24)], dim=1)
    return torch.cat([x[:, :-1], clock], dim=1), x[:, -1:]


class QuantileNet(nn.Module):
    def __init__(self, n_in, n_q):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.first = nn.Linear(32, 1)
        self.gaps = nn.Linear(32, n_q - 1)

    def forward(self, x):
        h = self.trunk(x)
        steps = nn.functional.softplus(self.gaps(h))
        return torch.cat([self.first(h), steps], dim=1).cumsum(dim=1)


def pinball(pred, target, q):
    diff = target - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean()


load = torch.from_numpy(np.loadtxt(here / cfg["data"], delimiter=",", skiprows=1, usecols=1, dtype="float32"))
cut = cfg["train_days"] * 24
mean, std = load[:cut].mean(), load[:cut].std()
scaled = (load - mean) / std
train = TensorDataset(*windows(scaled[:cut], cfg["lags"]))
vx, vy = windows(scaled[cut:cut + cfg["valid_days"] * 24], cfg["lags"])
loader = DataLoader(train, batch_size=cfg["batch_size"], shuffle=True)

q = torch.tensor(cfg["quantiles"])
net = QuantileNet(cfg["lags"] + 2, len(q))
opt = torch.optim.Adam(net.parameters(), lr=cfg["optim"]["lr"], weight_decay=1e-4)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg["optim"]["warmup_steps"]))

for epoch in range(cfg["epochs"]):
    net.train()
    tot = 0.0
    for x, y in loader:
        loss = pinball(net(x), y, q)
        opt.zero_grad()
        loss.backward()
        opt.step()
        warm.step()
        tot += loss.item() * len(x)
    net.eval()
    with torch.no_grad():
        p = net(vx)
        vloss = pinball(p, vy, q).item()
        cover = ((vy >= p[:, :1]) & (vy <= p[:, -1:])).float().mean().item()
        mae = (p[:, 2:3] - vy).abs().mean().item() * std.item()
    print(f"epoch {epoch + 1:2d}  pinball {tot / len(train):.4f}  valid {vloss:.4f}  90% band covers {cover:.3f}  median MAE {mae:.1f} kW")
