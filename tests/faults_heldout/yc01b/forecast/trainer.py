import torch
import torch.nn.functional as F

from . import models  # noqa: F401  (fills the registry)
from .data import build_loaders
from .optim import ScheduleHook
from .registry import MODELS, OPTIMIZERS


class Trainer:
    def __init__(self, cfg, root):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.loaders, self.scaler = build_loaders(cfg.data, root, cfg.seed)
        spec = dict(cfg.model)
        self.model = MODELS.build(spec.pop("name"), 5, cfg.data.horizon, **spec)
        spec = dict(cfg.optimizer)
        self.optimizer = OPTIMIZERS.build(spec.pop("name"), self.model.parameters(), **spec)
        self.schedule = ScheduleHook(self.optimizer, cfg.scheduler, len(self.loaders["train"]), cfg.trainer.epochs)

    def train_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        for x, y in self.loaders["train"]:
            loss = F.smooth_l1_loss(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            if self.cfg.trainer.clip_norm:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.trainer.clip_norm)
            self.optimizer.step()
            self.schedule.on_step_end()
            total += loss.item() * len(x)
            n += len(x)
        self.schedule.on_epoch_end()
        return total / n

    @torch.no_grad()
    def evaluate(self, split):
        self.model.eval()
        err = naive = loss = 0.0
        n = 0
        h = self.cfg.data.horizon
        for x, y in self.loaders[split]:
            pred = self.model(x)
            loss += F.smooth_l1_loss(pred, y, reduction="sum").item()
            err += (pred - y).abs().sum().item()
            day_ago = x[:, 0, -24:-24 + h]
            naive += (day_ago - y).abs().sum().item()
            n += y.numel()
        return {"loss": loss / n, "mae": err / n * self.scaler.std, "naive": naive / n * self.scaler.std}

    def fit(self):
        for epoch in range(1, self.cfg.trainer.epochs + 1):
            train = self.train_epoch()
            val = self.evaluate("val")
            print(f"epoch {epoch:2d}  train {train:.4f}  val {val['loss']:.4f}  val-mae {val['mae']:.2f} kW", flush=True)
