#!/usr/bin/env python
"""Command recognition for the shop-floor terminal."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from prepare import CommandClips

DEFAULTS = dict(epochs=9, lr=2e-3, batch=32, channels=48, seed=13)


def parse_overrides(argv):
    cfg = dict(DEFAULTS)
    for item in argv:
        key, value = item.split("=")
        cfg[key] = type(DEFAULTS[key])(value)
    return cfg


class KWSNet(nn.Module):
    def __init__(self, bands, channels, n_commands):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(bands, channels, 5, padding=2), nn.BatchNorm1d(channels), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, channels, 3, padding=1), nn.BatchNorm1d(channels), nn.ReLU(),
        )
        self.cls = nn.Linear(2 * channels, n_commands)

    def forward(self, mel):
        h = self.conv(mel)
        return self.cls(torch.cat([h.mean(2), h.amax(2)], dim=1))


def run_epoch(net, loader, crit, opt=None):
    net.train(opt is not None)
    loss_sum, ok, n = 0.0, 0, 0
    with torch.set_grad_enabled(opt is not None):
        for mel, y in loader:
            out = net(mel)
            loss = crit(out, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            loss_sum += loss.item() * len(y)
            ok += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss_sum / n, ok / n


if __name__ == "__main__":
    cfg = parse_overrides(sys.argv[1:])
    print(cfg)
    torch.manual_seed(cfg["seed"])
    train = CommandClips("train_mels.npz", "train_manifest.csv", train=True)
    test = CommandClips("test_mels.npz", "test_manifest.csv", train=False)
    n_commands = max(train.labels) + 1
    net = KWSNet(train.mels.shape[1], cfg["channels"], n_commands)
    crit = nn.CrossEntropyLoss(label_smoothing=0.05)
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    train_dl = DataLoader(train, batch_size=cfg["batch"], shuffle=True)
    test_dl = DataLoader(test, batch_size=128)
    for epoch in range(cfg["epochs"]):
        a, b = run_epoch(net, train_dl, crit, opt), run_epoch(net, test_dl, crit)
        print("epoch %d  train %.3f / %.1f%%  test %.3f / %.1f%%" % (epoch + 1, a[0], 100 * a[1], b[0], 100 * b[1]))
