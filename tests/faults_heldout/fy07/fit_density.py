"""Density model of IMU poses: used later to flag poses that the robot never takes."""
from pathlib import Path

import lightning as L
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset

from flow import Flow

CONFIG = dict(layers=4, hidden=32, lr=2e-3, warmup=100, epochs=10, batch_size=8, accumulate=2, seed=9)


class PoseDensity(L.LightningModule):
    def __init__(self, dim, cfg):
        super().__init__()
        self.cfg = cfg
        self.flow = Flow(dim, cfg["layers"], cfg["hidden"])

    def training_step(self, batch, batch_idx):
        loss = -self.flow.log_prob(batch[0]).mean()
        self.log("train_nll", loss, on_step=False, on_epoch=True)
        if batch_idx % 50 == 0:
            print(f"  batch {batch_idx:3d} nll {loss.item():.3f}")
        return loss

    def validation_step(self, batch, _):
        self.log("val_nll", -self.flow.log_prob(batch[0]).mean(), batch_size=len(batch[0]))

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch}: train nll {m['train_nll']:.3f}  val nll {m['val_nll']:.3f}")

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.cfg["lr"])
        total = self.trainer.estimated_stepping_batches
        warm = torch.optim.lr_scheduler.LinearLR(opt, 0.01, total_iters=self.cfg["warmup"])
        cool = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total - self.cfg["warmup"])
        both = torch.optim.lr_scheduler.SequentialLR(opt, [warm, cool], [self.cfg["warmup"]])
        return {"optimizer": opt, "lr_scheduler": {"scheduler": both, "interval": "step"}}


def tensors(path):
    x = torch.tensor(pd.read_csv(path).values, dtype=torch.float32)
    x = x[torch.randperm(len(x), generator=torch.Generator().manual_seed(0))]
    train, val, test = x[:2000], x[2000:2500], x[2500:]
    mean, std = train.mean(0), train.std(0)
    return [(part - mean) / std for part in (train, val, test)]


def main(cfg=CONFIG):
    L.seed_everything(cfg["seed"], verbose=False)
    train, val, test = tensors(Path(__file__).parent / "imu.csv")
    model = PoseDensity(train.shape[1], cfg)
    trainer = L.Trainer(max_epochs=cfg["epochs"], accumulate_grad_batches=cfg["accumulate"],
                        gradient_clip_val=10.0, accelerator="cpu", logger=False,
                        enable_checkpointing=False, enable_progress_bar=False, num_sanity_val_steps=0)
    trainer.fit(model, DataLoader(TensorDataset(train), cfg["batch_size"], shuffle=True),
                DataLoader(TensorDataset(val), 250))
    model.eval()
    gauss = torch.distributions.MultivariateNormal(torch.zeros(test.shape[1]), train.T.cov())
    with torch.no_grad():
        odd = test[torch.randperm(len(test))][:, :2]
        swapped = torch.cat([odd, test[:, 2:]], 1)
        a, b = model.flow.log_prob(test), model.flow.log_prob(swapped)
    print(f"test nll {-a.mean():.3f}  (gaussian fit {-gauss.log_prob(test).mean():.3f})")
    print(f"auc real pose vs shuffled pose {(a[:, None] > b[None]).float().mean():.3f}")


if __name__ == "__main__":
    main()
