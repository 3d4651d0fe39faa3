import json
import sys

import lightning as L
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class NucleiData(L.LightningDataModule):
    def __init__(self, path, batch_size):
        super().__init__()
        self.path, self.batch_size = path, batch_size

    def setup(self, stage=None):
        z = np.load(self.path)
        mean, std = float(z["train_x"].mean()), float(z["train_x"].std())

        def pack(split):
            x = (z[f"{split}_x"].astype(np.float32) - mean) / std
            n, h, w = x.shape
            m = np.unpackbits(z[f"{split}_m"], axis=1, count=h * w).reshape(n, 1, h, w)
            return TensorDataset(torch.from_numpy(x)[:, None], torch.from_numpy(m.astype(np.float32)))

        self.train, self.val = pack("train"), pack("val")

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, 60)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class MiniUNet(L.LightningModule):
    def __init__(self, width, optim):
        super().__init__()
        self.optim = optim
        self.enc1, self.enc2 = block(1, width), block(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.dec = block(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(F.max_pool2d(a, 2))
        return self.out(self.dec(torch.cat([a, self.up(b)], 1)))

    def training_step(self, batch, _):
        x, m = batch
        loss = F.binary_cross_entropy_with_logits(self(x), m)
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        return loss

    def validation_step(self, batch, _):
        x, m = batch
        z = self(x)
        p = (z > 0).float()
        self.log("val_loss", F.binary_cross_entropy_with_logits(z, m))
        self.log("val_dice", 2 * (p * m).sum() / (p.sum() + m.sum()))

    def on_validation_epoch_end(self):
        if self.trainer.sanity_checking:
            return
        c = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch:2d}  val {c['val_loss']:.4f}  dice {c['val_dice']:.3f}")

    def configure_optimizers(self):
        o = self.optim
        opt = torch.optim.SGD(self.parameters(), lr=o["lr"], momentum=o["momentum"], weight_decay=o["weight_decay"])
        sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=o["decay"])
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": o["decay_every"]}}


if __name__ == "__main__":
    cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "config.json"))
    L.seed_everything(cfg["seed"], verbose=False)
    dm = NucleiData("nuclei.npz", cfg["batch_size"])
    model = MiniUNet(cfg["width"], cfg["optim"])
    trainer = L.Trainer(max_epochs=cfg["epochs"], accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(model, dm)
    print({k: round(float(v), 4) for k, v in trainer.callback_metrics.items()})
