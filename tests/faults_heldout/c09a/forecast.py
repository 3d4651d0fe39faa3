"""12-hour load forecast for one feeder, from the last three days of load and temperature."""
import argparse
import json
import logging
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Config:
    history: int
    horizon: int
    hidden: int
    precision: str
    batch_size: int
    epochs: int
    lr: float
    seed: int

    @property
    def dtype(self):
        return getattr(torch, self.precision)


def windows(series, cfg, start, stop):
    """All windows whose forecast part lies in [start, stop)."""
    xs, ys = [], []
    for t in range(max(start, cfg.history), stop - cfg.horizon + 1):
        hour, week = t % 24, (t // 24) % 7
        clock = [np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi),
                 float(week == 4), float(week == 5), float(week == 6)]
        xs.append(np.concatenate([series[t - cfg.history:t].ravel(), clock]))
        ys.append(series[t:t + cfg.horizon, 0])
    return torch.tensor(np.array(xs), dtype=cfg.dtype), torch.tensor(np.array(ys), dtype=cfg.dtype)


def make_model(cfg):
    n_in = 2 * cfg.history + 5
    return nn.Sequential(
        nn.Linear(n_in, cfg.hidden), nn.GELU(),
        nn.Linear(cfg.hidden, cfg.hidden), nn.GELU(),
        nn.Linear(cfg.hidden, cfg.horizon),
    ).to(cfg.dtype)


def mae_mw(model, x, y, scale):
    with torch.no_grad():
        return (model(x).float() - y.float()).abs().mean().item() * scale


def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--config", type=Path, default=Path(__file__).with_name("config.json"))
    args = ap.parse_args(argv)
    cfg = Config(**json.loads(args.config.read_text()))
    torch.manual_seed(cfg.seed)

    raw = np.loadtxt(Path(__file__).with_name("feeder7.csv"), delimiter=",", skiprows=1)[:, 1:]
    cut = int(len(raw) * 0.8)
    mean, std = raw[:cut].mean(0), raw[:cut].std(0)
    series = (raw - mean) / std
    x_tr, y_tr = windows(series, cfg, 0, cut)
    x_te, y_te = windows(series, cfg, cut, len(raw))

    naive = (x_te[:, :2 * cfg.history].float().reshape(len(x_te), cfg.history, 2)[:, -24:-24 + cfg.horizon, 0]
             - y_te.float()).abs().mean().item() * std[0]
    logger.info("same hour yesterday: %.2f MW", naive)

    model = make_model(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    anneal = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs)
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=cfg.batch_size, shuffle=True)
    for epoch in range(1, cfg.epochs + 1):
        losses = []
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x).float(), y.float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        anneal.step()
        logger.info("epoch %d  mse %.4f  test mae %.2f MW", epoch, np.mean(losses), mae_mw(model, x_te, y_te, std[0]))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
