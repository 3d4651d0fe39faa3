import argparse
import json
from pathlib import Path

import torch

from gas.data import build_loaders
from gas.trainer import Trainer, build_mlp

ROOT = Path(__file__).resolve().parent

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-c", "--config", type=Path, default=ROOT / "config.json")
    cfg = json.loads(parser.parse_args().config.read_text())

    torch.manual_seed(cfg["seed"])
    train_loader, val_loader = build_loaders(ROOT, cfg["data"])
    n_in = train_loader.dataset.x.shape[1]
    n_out = int(train_loader.dataset.y.max()) + 1
    model = build_mlp(n_in, cfg["model"]["hidden"], n_out, cfg["model"]["dropout"])
    Trainer(model, train_loader, val_loader, **cfg["optim"]).fit()
