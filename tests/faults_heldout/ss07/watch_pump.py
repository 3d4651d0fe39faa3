"""Pump monitoring: learn what normal readings look like, rank new readings by reconstruction error.

Readings arrive in sensor units (Pa, K, rpm, ...); the first layer of the network does the scaling.
"""
import copy
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Options:
    file: Path = Path(__file__).with_name("pump.npz")
    batch: int = 100
    lr: float = 4e-3
    code: int = 5
    max_epochs: int = 400
    patience: int = 15
    min_gain: float = 1e-4
    seed: int = 12


class Stopper:
    def __init__(self, patience, min_gain):
        self.patience, self.min_gain = patience, min_gain
        self.best, self.bad, self.weights = float("inf"), 0, None

    def update(self, value, model):
        if value < self.best - self.min_gain:
            self.best, self.bad = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


class PumpAE(nn.Module):
    def __init__(self, d, code):
        super().__init__()
        self.scale = nn.BatchNorm1d(d, affine=False, momentum=None)
        self.enc = nn.Sequential(nn.Linear(d, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, code))
        self.dec = nn.Sequential(nn.Linear(code, 24), nn.ReLU(), nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, d))

    def error(self, x):
        z = self.scale(x)
        return (self.dec(self.enc(z)) - z).pow(2).mean(1)


def main(o: Options):
    torch.manual_seed(o.seed)
    raw = np.load(o.file)
    normal = torch.from_numpy(raw["normal"])
    fit, hold = normal[:2500], normal[2500:]
    check, fault = torch.from_numpy(raw["check"]), raw["fault"]

    loader = DataLoader(TensorDataset(fit), batch_size=o.batch, shuffle=True)
    model = PumpAE(fit.shape[1], o.code)
    optim = torch.optim.Adam(model.parameters(), lr=o.lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optim, factor=0.4, patience=4)
    stop = Stopper(o.patience, o.min_gain)

    for epoch in range(1, o.max_epochs + 1):
        model.train()
        seen = []
        for (x,) in loader:
            loss = model.error(x).mean()
            optim.zero_grad()
            loss.backward()
            optim.step()
            seen.append(loss.detach())
        model.eval()
        with torch.no_grad():
            val = model.error(hold).mean().item()
            score = model.error(check)
        plateau.step(val)
        if epoch % 10 == 0:
            print(f"{epoch:4d}  fit {torch.stack(seen).mean():.4f}  hold {val:.4f}  "
                  f"AUROC {roc_auc_score(fault, score):.4f}  lr {optim.param_groups[0]['lr']:.1e}")
        if stop.update(val, model):
            print(f"no gain for {o.patience} epochs, stopping at {epoch}")
            break

    model.load_state_dict(stop.weights)
    model.eval()
    with torch.no_grad():
        score = model.error(check)
        limit = model.error(hold).quantile(0.99)
    caught = (score > limit).numpy()
    print(f"best hold {stop.best:.4f}  AUROC {roc_auc_score(fault, score):.4f}  "
          f"alarms on faults {caught[fault == 1].mean():.3f}, on normal {caught[fault == 0].mean():.3f}")


if __name__ == "__main__":
    main(Options())
    sys.exit(0)
