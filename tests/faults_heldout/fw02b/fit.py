import argparse
import logging
import warnings

import lightning as L

from datamodule import FlatsDataModule
from model import PriceNet

warnings.filterwarnings("ignore", ".*num_workers.*")
logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="flats.csv")
    ap.add_argument("--epochs", type=int, default=25)
    a = ap.parse_args()

    L.seed_everything(11, verbose=False)
    dm = FlatsDataModule(a.csv)
    dm.setup()
    net = PriceNet(dm.in_dim)
    trainer = L.Trainer(max_epochs=a.epochs, accelerator="cpu", logger=False, num_sanity_val_steps=0,
                        enable_checkpointing=False, enable_progress_bar=False,
                        enable_model_summary=False)
    trainer.fit(net, datamodule=dm)
    trainer.validate(net, datamodule=dm)


if __name__ == "__main__":
    main()
