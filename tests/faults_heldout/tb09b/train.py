import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from simulator import RingdownStream, draw


class RingdownNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, channels, 9, stride=2, padding=4), nn.ReLU(),
            nn.Conv1d(channels, channels, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(channels, channels, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.fc = nn.Sequential(nn.Linear(channels * 12, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, sig):
        return self.fc(self.conv(sig.unsqueeze(1)).flatten(1))


def validate(model, sig, target):
    model.eval()
    with torch.no_grad():
        err = (model(sig) - target).pow(2).mean(0)
    model.train()
    return err.mean().item(), err.sqrt().tolist()


def main():
    cfg = tomllib.loads((Path(__file__).parent / "run.toml").read_text())
    torch.manual_seed(cfg["seed"])

    sim = cfg["simulation"]
    stream = RingdownStream(cfg["steps"], cfg["batch_size"], sim["noise"], sim["seed"], sim["seed_stride"])
    loader = DataLoader(stream, batch_size=None)
    val_sig, val_target = draw(np.random.default_rng(sim["val_seed"]), 512, sim["noise"])

    model = RingdownNet(cfg["channels"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    loss_fn = nn.MSELoss()

    recent = []
    for step, (sig, target) in enumerate(loader, start=1):
        loss = loss_fn(model(sig), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss.item())
        if step % cfg["eval_every"] == 0:
            val, (rm_omega, rm_gamma) = validate(model, val_sig, val_target)
            print(f"step {step:4d} | train mse {np.mean(recent):.4f} | val mse {val:.4f} "
                  f"| rmse omega {rm_omega:.3f} gamma {rm_gamma:.3f}")
            recent.clear()


if __name__ == "__main__":
    main()
