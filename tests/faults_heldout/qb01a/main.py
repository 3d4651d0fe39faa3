"""Small OCR baseline on the 8x8 digits."""
import json
from pathlib import Path

import torch

from ocr.data import make_loaders
from ocr.model import DigitNet
from ocr.trainer import Trainer


def main():
    cfg = json.loads((Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_loader, test_loader = make_loaders(
        cfg["data"]["batch_size"], cfg["data"]["test_size"], cfg["seed"])
    model = DigitNet(**cfg["model"])
    trainer = Trainer(model, cfg["optim"])
    for epoch in range(1, cfg["epochs"] + 1):
        tr = trainer.run_epoch(train_loader)
        te, acc = trainer.evaluate(test_loader)
        print(f"epoch {epoch:2d}  train {tr:.4f}  test {te:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
