"""Density of detector hits (x, y, energy, drift time) with coupling flows; reports nats per hit."""
import copy
import logging
import math
import warnings
from pathlib import Path

import lightning as L
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")
HERE = Path(__file__).resolve().parent


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        keep = torch.arange(dim) % 2 == int(flip)
        self.register_buffer("keep", keep.float())
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        scale, shift = self.net(x * self.keep).chunk(2, dim=-1)
        scale = 1.5 * torch.tanh(scale) * (1 - self.keep)
        shift = shift * (1 - self.keep)
        return x * scale.exp() + shift, scale.sum(-1)


class Flow(nn.Module):
    def __init__(self, mean, std, hidden=48, blocks=6):
        super().__init__()
        dim = len(mean)
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.blocks = nn.ModuleList(Coupling(dim, hidden, flip=i % 2) for i in range(blocks))
        self.mix = nn.ParameterList(nn.Parameter(torch.linalg.qr(torch.randn(dim, dim))[0])
                                    for _ in range(blocks // 2))

    def log_prob(self, x):
        z = (x - self.mean) / self.std
        logdet = -self.std.log().sum().expand(len(x))
        for i, block in enumerate(self.blocks):
            if i % 2 == 0:
                w = self.mix[i // 2]
                z = z @ w
                logdet = logdet + torch.linalg.slogdet(w)[1]
            z, ld = block(z)
            logdet = logdet + ld
        return -0.5 * (z.pow(2).sum(-1) + z.shape[-1] * math.log(2 * math.pi)) + logdet


class FlowTask(L.LightningModule):
    """Two half-batches per update, own clipping, weight average used for validation."""

    def __init__(self, flow, lr=3e-3, average=0.97, chunks=2):
        super().__init__()
        self.automatic_optimization = False
        self.flow = flow
        self.shadow = copy.deepcopy(flow).requires_grad_(False)
        self.lr, self.average, self.chunks = lr, average, chunks
        self.nll = []

    def training_step(self, batch, batch_idx):
        opt, sched = self.optimizers(), self.lr_schedulers()
        opt.zero_grad()
        value = 0.0
        for part in batch[0].chunk(self.chunks):
            loss = -self.flow.log_prob(part).sum() / len(batch[0])
            self.manual_backward(loss)
            value += loss.item()
        nn.utils.clip_grad_norm_(self.flow.parameters(), 5.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            for s, p in zip(self.shadow.parameters(), self.flow.parameters()):
                s.lerp_(p, 1 - self.average)
        self.nll.append(value)

    def validation_step(self, batch, batch_idx):
        self.log("val_nll", -self.shadow.log_prob(batch[0]).mean(), batch_size=len(batch[0]))

    def on_train_epoch_end(self):
        if (self.current_epoch + 1) % 3 == 0:
            print(f"epoch {self.current_epoch + 1:2d}  train nll {np.mean(self.nll):+.3f}  "
                  f"val nll {self.trainer.callback_metrics['val_nll']:+.3f}")
        self.nll.clear()

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.flow.parameters(), lr=self.lr)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.trainer.max_epochs * self.trainer.num_training_batches)
        return [opt], [{"scheduler": sched, "interval": "step"}]


def main():
    L.seed_everything(31, verbose=False)
    data = np.load(HERE / "hits.npz")
    train, val = torch.from_numpy(data["train"]), torch.from_numpy(data["val"])
    task = FlowTask(Flow(train.mean(0), train.std(0)))
    trainer = L.Trainer(max_epochs=24, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(task, DataLoader(TensorDataset(train), batch_size=64, shuffle=True),
                DataLoader(TensorDataset(val), batch_size=800))
    print(f"final val nll {trainer.callback_metrics['val_nll']:+.3f} nats per hit")


if __name__ == "__main__":
    main()
