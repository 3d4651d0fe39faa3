import logging
import sys
import warnings

import lightning.pytorch as pl
import numpy as np
import torch
import yaml
from lightning.pytorch.callbacks import Callback
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


def load_table(path, target, seed):
    with open(path) as f:
        header = f.readline().strip().split(",")
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    t = header.index(target)
    y = table[:, t]
    x = np.delete(table, t, axis=1)
    order = np.random.default_rng(seed).permutation(len(x))
    n_val = len(x) // 5
    tr, va = order[n_val:], order[:n_val]
    mx, sx, my, sy = x[tr].mean(0), x[tr].std(0), y[tr].mean(), y[tr].std()
    sets = [TensorDataset(torch.from_numpy((x[i] - mx) / sx), torch.from_numpy((y[i] - my) / sy))
            for i in (tr, va)]
    return sets, x.shape[1]


class Regressor(pl.LightningModule):
    def __init__(self, in_dim, width, depth, optim):
        super().__init__()
        self.save_hyperparameters()
        dims = [in_dim] + [width] * depth
        layers = []
        for a, b in zip(dims[:-1], dims[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def step(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.net(x).squeeze(1).float(), y.float())

    def training_step(self, batch, batch_idx):
        loss = self.step(batch)
        self.log("train/mse", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        self.log("val/mse", self.step(batch))

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), **self.hparams.optim, nesterov=True)
        total = self.trainer.estimated_stepping_batches
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=total)
        return [opt], [{"scheduler": sched, "interval": "step"}]


class Report(Callback):
    def on_train_epoch_end(self, trainer, module):
        if (trainer.current_epoch + 1) % 3 == 0:
            m = trainer.callback_metrics
            print(f"[{trainer.current_epoch + 1:02d}] train {m['train/mse']:.5f} val {m['val/mse']:.5f}")


def main(path="config.yaml"):
    with open(path) as f:
        cfg = yaml.safe_load(f)
    pl.seed_everything(cfg["seed"], verbose=False)
    (train, val), in_dim = load_table(cfg["data"], cfg["target"], cfg["seed"])
    model = Regressor(in_dim, optim=cfg["optim"], **cfg["model"])
    trainer = pl.Trainer(accelerator="cpu", logger=False, enable_checkpointing=False,
                         enable_progress_bar=False, enable_model_summary=False,
                         callbacks=[Report()], **cfg["trainer"])
    trainer.fit(model,
                DataLoader(train, cfg["batch_size"], shuffle=True),
                DataLoader(val, 256))


if __name__ == "__main__":
    main(*sys.argv[1:])
