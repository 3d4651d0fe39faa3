import argparse
import configparser
import logging
import warnings

import lightning as L
import torch

from gearmon.callbacks import EpochPrinter
from gearmon.datamodule import GearboxData
from gearmon.lit import GearboxClassifier

warnings.filterwarnings("ignore", ".*does not have many workers.*")
logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)


def parse():
    p = argparse.ArgumentParser(description="Gearbox condition classifier")
    p.add_argument("--config", default="gearbox.ini")
    p.add_argument("--seed", type=int)
    return p.parse_args()


def main():
    args = parse()
    cfg = configparser.ConfigParser()
    cfg.read(args.config)
    L.seed_everything(args.seed or cfg.getint("run", "seed"), verbose=False)
    torch.set_num_threads(1)

    dm = GearboxData(
        table=cfg["data"]["table"],
        stats=cfg["data"]["stats"],
        batch_size=cfg.getint("run", "batch_size"),
    )
    dm.prepare_data()
    net = GearboxClassifier(
        n_inputs=dm.n_inputs,
        n_classes=len(dm.classes),
        hidden=cfg.getint("model", "hidden"),
        depth=cfg.getint("model", "depth"),
        lr=cfg.getfloat("optim", "lr"),
        weight_decay=cfg.getfloat("optim", "weight_decay"),
    )
    trainer = L.Trainer(
        max_epochs=cfg.getint("run", "epochs"),
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        log_every_n_steps=10,
        callbacks=[EpochPrinter(every=5)],
    )
    trainer.fit(net, datamodule=dm)
    result = trainer.test(net, datamodule=dm, verbose=False)[0]
    print(f"test accuracy {result['test_acc']:.3f}  loss {result['test_loss']:.3f}")


if __name__ == "__main__":
    main()
