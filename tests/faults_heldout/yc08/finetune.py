"""Adapts the digit backbone (trained on 0-4) to the classes 5-9."""
import logging
from pathlib import Path

import torch

from adapt.callbacks import EarlyStopping, LogMetrics
from adapt.checkpoints import load_backbone
from adapt.data import new_class_loaders
from adapt.nets import Backbone, TransferModel
from adapt.settings import read_settings
from adapt.trainer import Trainer

ROOT = Path(__file__).resolve().parent
logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")


def main():
    s = read_settings(ROOT / "adapt.toml")
    torch.manual_seed(s.seed)
    loaders = new_class_loaders(s.batch_size, s.seed)
    backbone = Backbone(s.width)
    load_backbone(backbone, ROOT / s.checkpoint)
    model = TransferModel(backbone, classes=5, tune=s.tune)
    trainer = Trainer(model, loaders, s, [LogMetrics(), EarlyStopping("val_loss", patience=6)])
    trainer.fit()
    logging.info("test accuracy %.4f", trainer.evaluate("test")["acc"])


if __name__ == "__main__":
    main()
