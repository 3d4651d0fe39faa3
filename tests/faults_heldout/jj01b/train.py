import json
from pathlib import Path

import torch

from digitnet import config
from digitnet.data import loaders
from digitnet.model import DigitNet
from digitnet.trainer import Trainer

HERE = Path(__file__).resolve().parent


def main():
    cfg = config.load(HERE / "config.yaml")
    torch.manual_seed(cfg["run"]["seed"])
    train_loader, val_loader = loaders(cfg["data"], cfg["run"]["seed"])
    model = DigitNet(**cfg["model"])
    print("parameters:", sum(p.numel() for p in model.parameters()))
    history = Trainer(model, cfg).fit(train_loader, val_loader, cfg["run"]["epochs"])
    torch.save(model.state_dict(), HERE / "digitnet.pt")
    (HERE / "history.json").write_text(json.dumps(history, indent=1))


if __name__ == "__main__":
    main()
