import logging
import tomllib
import warnings
from pathlib import Path

import lightning as L
from lightning.pytorch.callbacks import Callback, EarlyStopping

from data import Listens
from model import TwoTower

warnings.filterwarnings("ignore", ".*num_workers.*")
logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)


class Echo(Callback):
    def on_train_epoch_end(self, trainer, module):
        m = trainer.callback_metrics
        print(f"epoch {trainer.current_epoch:2d}  loss {m['train_loss']:.4f}  val_auc {m['val_auc']:.4f}")


if __name__ == "__main__":
    here = Path(__file__).parent
    with open(here / "recsys.toml", "rb") as f:
        cfg = tomllib.load(f)
    L.seed_everything(cfg["seed"])
    data = Listens(here / "listens.npz", **cfg["data"])
    model = TwoTower(data.user_attr, data.item_attr, data.seen, data.known, **cfg["model"])
    trainer = L.Trainer(accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False,
                        num_sanity_val_steps=0,
                        callbacks=[EarlyStopping(**cfg["early_stopping"]), Echo()],
                        **cfg["trainer"])
    trainer.fit(model, data)
    trainer.test(model, data)
