import json

import torch

from houses.data import load
from houses.model import ResidualMLP
from houses.optim import AGCSGD
from houses.trainer import Trainer

cfg = json.load(open("run.json"))
torch.manual_seed(cfg["seed"])
train, held_out, unit, header = load("houses.csv", cfg["holdout"], cfg["seed"])
print(f"{len(train[0])} houses for training, {len(held_out[0])} held out, target: {header[-1]}")
model = ResidualMLP(train[0].shape[1], **cfg["model"])
optimizer = AGCSGD(model.parameters(), **cfg["optimizer"])
Trainer(model, optimizer, train, held_out, unit, cfg["batch_size"]).fit(cfg["epochs"])
