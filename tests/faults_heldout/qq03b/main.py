import argparse
from pathlib import Path

import torch

from tidefc.engine import Engine
from tidefc.net import Forecaster
from tidefc.series import CHANNELS, GaugeSeries
from tidefc.settings import Settings

here = Path(__file__).resolve().parent
parser = argparse.ArgumentParser(description="water level forecast")
parser.add_argument("-c", "--config", default=here / "tide.toml")
cfg = Settings.read(parser.parse_args().config)

torch.manual_seed(cfg.train.seed)
d = cfg.data
series = GaugeSeries(here / d.file, d.history, d.horizon, d.train_until)
x, y = series.valid
last = x.view(len(x), CHANNELS, d.history)[:, 0, -1]
persistence = (last - y).pow(2).mean().sqrt().item()
print(cfg.title)
print(f"windows: {len(series.train[0])} train, {len(x)} valid; persistence {persistence * series.unit * 100:.1f} cm")

engine = Engine(Forecaster(x.shape[1], cfg.model.hidden, cfg.model.depth), cfg.train)
for epoch in range(cfg.train.epochs):
    fit = engine.epoch(series.train)
    print(f"epoch {epoch:2d}  mse {fit:.5f}  valid rmse {engine.rmse(series.valid) * series.unit * 100:.1f} cm")
