"""Reads single digits cut from photographs of water meter counters."""
import argparse
import logging
import warnings

import lightning as L
import torch

from meterread.config import read_config
from meterread.data import MeterDigits
from meterread.module import DigitReader
from meterread.callbacks import History

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("config", nargs="?", default="reader.toml")
    ap.add_argument("--seed", type=int)
    ns = ap.parse_args()

    cfg = read_config(ns.config)
    L.seed_everything(cfg.fit.seed if ns.seed is None else ns.seed, verbose=False)
    torch.set_num_threads(1)

    digits = MeterDigits(cfg.data, cfg.transform, cfg.fit.batch_size)
    reader = DigitReader(cfg.net, cfg.fit)
    history = History()
    trainer = L.Trainer(
        max_epochs=cfg.fit.epochs,
        accelerator="cpu",
        callbacks=[history],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    trainer.fit(reader, datamodule=digits)

    last = history.rows[-1]
    print(f"read rate on unseen meters: {last['val_acc']:.3f} (loss {last['val_loss']:.3f})")


if __name__ == "__main__":
    main()
