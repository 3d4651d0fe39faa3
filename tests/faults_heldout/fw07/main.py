import argparse
import logging
import warnings

import lightning.pytorch as pl

from vision.data import Digits
from vision.module import Classifier

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Printer(pl.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        m = {k: float(v) for k, v in trainer.callback_metrics.items()}
        print(f"{trainer.current_epoch:3d} | " + " | ".join(f"{k} {m[k]:.4f}" for k in sorted(m)))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--backbone", default="lcnet_035")
    p.add_argument("--seed", type=int, default=1234)
    a = p.parse_args()
    pl.seed_everything(a.seed, verbose=False)
    dm = Digits()
    model = Classifier(a.backbone)
    trainer = pl.Trainer(max_epochs=a.epochs, accelerator="cpu", logger=False, enable_checkpointing=False,
                         enable_progress_bar=False, enable_model_summary=False, gradient_clip_val=5.0,
                         num_sanity_val_steps=0, callbacks=[Printer()])
    trainer.fit(model, dm)
