from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from .network import LogReader
from .optim import create_optimizer
from .tasks import EVENTS, STATES, EventLog, collate


@dataclass
class ExperimentConfig:
    seed: int = 17
    train_size: int = 5000
    eval_size: int = 1000
    min_len: int = 5
    max_len: int = 18
    batch: int = 64
    epochs: int = 16
    optimizer: str = "adamw"
    lr: float = 4e-3
    weight_decay: float = 0.01
    hidden: int = 32
    clip: float = 1.0


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        make = lambda n, k: EventLog(n, cfg.min_len, cfg.max_len, cfg.seed * 10 + k)
        self.data = {
            "train": DataLoader(make(cfg.train_size, 0), cfg.batch, shuffle=True, collate_fn=collate, drop_last=True),
            "val": DataLoader(make(cfg.eval_size, 1), 250, collate_fn=collate),
            "test": DataLoader(make(cfg.eval_size, 2), 250, collate_fn=collate),
        }
        self.model = LogReader(len(EVENTS), len(STATES), hidden=cfg.hidden)
        self.opt = create_optimizer(cfg.optimizer, self.model, cfg.lr, cfg.weight_decay)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, cfg.lr, total_steps=cfg.epochs * len(self.data["train"]), pct_start=0.15)
        self.loss_fn = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.model.train()
        losses = []
        for tokens, lengths, y in self.data["train"]:
            loss = self.loss_fn(self.model(tokens, lengths), y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def accuracy(self, split):
        self.model.eval()
        hit = n = 0
        for tokens, lengths, y in self.data[split]:
            hit += (self.model(tokens, lengths).argmax(1) == y).sum().item()
            n += len(y)
        return hit / n

    def run(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            print(f"epoch {epoch + 1:>2}/{self.cfg.epochs} | loss {loss:.4f} | val acc {self.accuracy('val'):.4f}", flush=True)
