"""Autoencoder for cell measurements: 30 columns to 6 numbers."""
from dataclasses import dataclass

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from torch import nn


@dataclass
class Options:
    code: int = 6
    width: int = 64
    lr: float = 2e-3
    epochs: int = 150
    batch: int = 32


class Compressor(nn.Module):
    def __init__(self, n, o: Options):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n, o.width), nn.GELU(), nn.Linear(o.width, o.code))
        self.decoder = nn.Sequential(nn.Linear(o.code, o.width), nn.GELU(), nn.Linear(o.width, n), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def main(o=Options()):
    torch.manual_seed(14)
    raw = load_breast_cancer().data
    perm = torch.randperm(len(raw)).numpy()
    scaler = StandardScaler().fit(raw[perm[:430]])
    x = torch.tensor(scaler.transform(raw[perm]), dtype=torch.float32)
    fit, held = x[:430], x[430:]
    net = Compressor(x.shape[1], o)
    opt = torch.optim.AdamW(net.parameters(), lr=o.lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o.epochs)
    for epoch in range(1, o.epochs + 1):
        for rows in fit[torch.randperm(len(fit))].split(o.batch):
            loss = nn.functional.mse_loss(net(rows), rows)
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        if epoch % 15 == 0:
            with torch.no_grad():
                a, b = [(net(s) - s).square().mean() / s.var() for s in (fit, held)]
            print(f"epoch {epoch:3d} unexplained variance fit {a:.3f} held {b:.3f}")


if __name__ == "__main__":
    main()
