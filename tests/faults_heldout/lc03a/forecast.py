import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

import simple_yaml

here = os.path.dirname(os.path.abspath(__file__))
cfg = simple_yaml.load(os.path.join(here, "experiment.yaml"))
torch.manual_seed(cfg["seed"])

table = np.genfromtxt(os.path.join(here, cfg["data_file"]), delimiter=",", skip_header=1)
hours, temp, load = table[:, 0], table[:, 1], table[:, 2]
split = int(len(table) * 0.8)

# statistics from the training part
t_mu, t_sd = temp[:split].mean(), temp[:split].std()
l_mu, l_sd = load[:split].mean(), load[:split].std()
features = np.stack([
    (load - l_mu) / l_sd,
    (temp - t_mu) / t_sd,
    np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / 24),
    np.sin(2 * np.pi * hours / 168), np.cos(2 * np.pi * hours / 168),
], 1).astype(np.float32)


def windows(lo, hi):
    H, K = cfg["history"], cfg["horizon"]
    starts = np.arange(lo, hi - H - K + 1)
    x = np.stack([features[s:s + H].T for s in starts])
    y = np.stack([features[s + H:s + H + K, 0] for s in starts])
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))


train_dl = DataLoader(windows(0, split), batch_size=cfg["batch_size"], shuffle=True)
test_dl = DataLoader(windows(split, len(table)), batch_size=256)


class Residual(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.pad = 2 * d
        self.conv = nn.Conv1d(c, c, 3, dilation=d)
        self.mix = nn.Conv1d(c, c, 1)

    def forward(self, x):
        return x + self.mix(F.relu(self.conv(F.pad(x, (self.pad, 0)))))


class TCN(nn.Module):
    def __init__(self, n_in, c, dilations, horizon):
        super().__init__()
        self.inp = nn.Conv1d(n_in, c, 1)
        self.blocks = nn.Sequential(*[Residual(c, d) for d in dilations])
        self.head = nn.Sequential(nn.Linear(c, 64), nn.ReLU(), nn.Linear(64, horizon))

    def forward(self, x):
        return self.head(self.blocks(self.inp(x))[:, :, -1])


net = TCN(features.shape[1], cfg["channels"], cfg["dilations"], cfg["horizon"])
optimizer = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sch = cfg["scheduler"]
if sch["name"] == "step":
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=sch["step_size"], gamma=sch["gamma"])
else:
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=sch["step_size"])

for epoch in range(cfg["epochs"]):
    net.train()
    losses = []
    for x, y in train_dl:
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        if sch["interval"] == "step":
            scheduler.step()
        losses.append(loss.item())
    if sch["interval"] == "epoch":
        scheduler.step()

    net.eval()
    se, ae, n = 0.0, 0.0, 0
    with torch.no_grad():
        for x, y in test_dl:
            err = net(x) - y
            se += err.pow(2).sum().item()
            ae += err.abs().sum().item()
            n += err.numel()
    print("epoch %d  train mse %.4f  test mse %.4f  test mae %.1f MW" % (
        epoch + 1, np.mean(losses), se / n, ae / n * l_sd))
