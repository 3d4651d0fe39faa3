import sys
import tomllib

import torch
from torch.utils.data import DataLoader

from load.forecaster import Forecaster
from load.trainer import Trainer
from load.windows import split_by_time

path = sys.argv[1] if len(sys.argv) > 1 else "settings.toml"
with open(path, "rb") as fh:
    settings = tomllib.load(fh)

torch.manual_seed(settings["seed"])
d = settings["data"]
train, val, std = split_by_time(d["file"], d["context"], d["horizon"], d["val_hours"])
train_loader = DataLoader(train, batch_size=d["batch_size"], shuffle=True, drop_last=True)
val_loader = DataLoader(val, batch_size=128)

model = Forecaster(meters=len(std), calendar=4, hidden=settings["model"]["hidden"], horizon=d["horizon"])
trainer = Trainer(model, settings)
for e in range(settings["epochs"]):
    loss = trainer.epoch(train_loader)
    mae = trainer.evaluate(val_loader, std)
    print(f"epoch {e:2d} | train {loss:.4f} | val MAE {mae:.2f} kW")
