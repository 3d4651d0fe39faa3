import tomllib
from pathlib import Path

import torch

from langid.builders import build_model
from langid.features import load_words
from langid.trainer import Trainer

ROOT = Path(__file__).resolve().parent

with open(ROOT / "experiment.toml", "rb") as fh:
    cfg = tomllib.load(fh)
cfg["data"]["path"] = ROOT / cfg["data"]["path"]

torch.manual_seed(cfg["trainer"]["seed"])
train_set, val_set, languages = load_words(cfg["data"], cfg["trainer"]["seed"])
model = build_model(cfg, len(languages))
print(f"{len(train_set)} training words in {len(languages)} languages, {sum(p.numel() for p in model.parameters())} parameters")
Trainer(model, cfg, train_set, val_set).run()
