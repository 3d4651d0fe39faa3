from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Hyper:
    channels: int = 16
    stages: int = 5
    dilations: tuple = (1, 2, 4, 8)
    lr: float = 2e-3
    batch: int = 32
    epochs: int = 8


class DilatedConv(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.left = 2 * dilation
        self.conv = nn.Conv1d(ch, ch, 3, dilation=dilation)

    def forward(self, x):
        return F.gelu(self.conv(F.pad(x, (self.left, 0))))


class TCN(nn.Module):
    """Stages of dilated causal convolutions, mean over time, linear read-out."""

    def __init__(self, hp, classes):
        super().__init__()
        self.stem = nn.Conv1d(1, hp.channels, 1)
        self.layers = nn.ModuleList(
            DilatedConv(hp.channels, d) for _ in range(hp.stages) for d in hp.dilations
        )
        self.read = nn.Linear(hp.channels, classes)

    def forward(self, x):
        h = self.stem(x)
        for layer in self.layers:
            h = layer(h)
        return self.read(h.mean(-1))


def main():
    hp = Hyper()
    torch.manual_seed(23)
    z = np.load("ecg.npz")
    x = torch.from_numpy(z["x"].astype(np.float32))[:, None]
    y = torch.from_numpy(z["y"].astype(np.int64))
    perm = torch.randperm(len(x))
    tr, va = perm[:720], perm[720:]
    mu, sd = x[tr].mean(), x[tr].std()
    x = (x - mu) / sd

    net = TCN(hp, 3)
    opt = torch.optim.AdamW(net.parameters(), lr=hp.lr)
    for epoch in range(hp.epochs):
        net.train()
        total = 0.0
        for idx in tr[torch.randperm(len(tr))].split(hp.batch):
            loss = F.cross_entropy(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            out = net(x[va])
        print(f"epoch {epoch}: train {total / len(tr):.4f} "
              f"valid {F.cross_entropy(out, y[va]):.4f} "
              f"acc {(out.argmax(-1) == y[va]).float().mean():.3f}")


if __name__ == "__main__":
    main()
