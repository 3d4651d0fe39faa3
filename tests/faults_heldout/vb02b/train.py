import json
import logging
from pathlib import Path

import torch

from digitnet.data import make_loaders
from digitnet.engine import Trainer
from digitnet.model import DigitNet


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    cfg = json.loads((Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_loader, val_loader = make_loaders(seed=cfg["seed"], **cfg["data"])
    model = DigitNet(**cfg["model"])
    acc = Trainer(model, cfg).fit(train_loader, val_loader)
    print(f"final accuracy: {acc:.4f}")


if __name__ == "__main__":
    main()
