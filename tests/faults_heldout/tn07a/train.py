from pathlib import Path

import torch
import yaml
from torch.utils.data import DataLoader

from engine import Engine
from siamese import ContrastiveLoss, Encoder, digit_pairs, make_hooks

cfg = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
torch.manual_seed(cfg["seed"])

train_pairs, held_out = digit_pairs(cfg["pairs_per_epoch"], cfg["seed"])
loader = DataLoader(train_pairs, batch_size=cfg["batch_size"], shuffle=True)
model = Encoder(cfg["embedding"])
opt = dict(cfg["optimizer"])
optimizer = getattr(torch.optim, opt.pop("name"))(model.parameters(), **opt)

engine = Engine(model, ContrastiveLoss(cfg["margin"]), optimizer, make_hooks(cfg["hooks"], held_out))
engine.run(loader, cfg["epochs"])
