"""Carry the calibration of the reference nose over to another unit.

Starts from the state of the reference run (weights and optimiser moments) and goes on with the unit's own bench data.
"""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from model import NoseNet

HERE = Path(__file__).resolve().parent


@dataclass
class Settings:
    start: str = "reference_run.pt"
    bench: str = "unit07.npz"
    epochs: int = 30
    batch: int = 32
    lr: float = 1e-3
    weight_decay: float = 1e-2
    seed: int = 3


def main(s: Settings):
    torch.manual_seed(s.seed)
    run = torch.load(HERE / s.start, map_location="cpu")
    net = NoseNet()
    net.load_state_dict(run["model"])
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    opt.load_state_dict(run["optimizer"])
    print(f"going on from step {run['step']} of the reference run")

    z = np.load(HERE / s.bench)
    x = (torch.from_numpy(z["x"]).float() - run["x_mean"]) / run["x_std"]
    y = (torch.from_numpy(z["y"]).float() - run["y_mean"]) / run["y_std"]
    train, held = z["train_rows"], z["held_rows"]
    xt, yt, xh, yh = x[train], y[train], x[held], y[held]

    for epoch in range(s.epochs):
        net.train()
        losses = []
        for idx in torch.randperm(len(xt)).split(s.batch):
            loss = F.mse_loss(net(xt[idx] + 0.02 * torch.randn(len(idx), 10)), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            err = net(xh) - yh
        rms = (err.pow(2).mean(0).sqrt() * run["y_std"]).tolist()
        print(f"epoch {epoch:2d} | bench mse {np.mean(losses):.4f} | held-out mse {err.pow(2).mean():.4f} | "
              "rms log10 ppm CO {:.3f} NO2 {:.3f} NH3 {:.3f}".format(*rms))
    torch.save(net.state_dict(), HERE / "unit07.pt")


if __name__ == "__main__":
    main(Settings())
