from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from model import Controller
from streams import windows, record


@dataclass
class Settings:
    seed: int = 17
    streams: int = 48
    length: int = 1500
    window: int = 30
    epochs: int = 14
    lr: float = 3e-3
    clip: float = 1.0


class Trainer:
    def __init__(self, s: Settings):
        self.s = s
        torch.manual_seed(s.seed)
        rng = np.random.default_rng(s.seed)
        self.train_data = record(s.streams, s.length, rng)
        self.val_data = record(s.streams, 600, rng)
        self.model = Controller()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=s.lr)
        steps = s.epochs * (s.length // s.window)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, steps, eta_min=1e-5)

    def epoch(self):
        self.model.train()
        self.model.reset()
        losses = []
        for tok, out in windows(*self.train_data, self.s.window):
            logits = self.model(tok)
            loss = F.cross_entropy(logits.flatten(0, 1), out.flatten())
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.s.clip)
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        self.model.reset()
        right = total = 0
        for tok, out in windows(*self.val_data, self.s.window):
            right += (self.model(tok).argmax(-1) == out).sum().item()
            total += out.numel()
        return right / total

    def run(self):
        for e in range(self.s.epochs):
            loss = self.epoch()
            print(f"epoch {e + 1:2d}/{self.s.epochs} loss {loss:.4f} val acc {self.validate():.4f}", flush=True)


if __name__ == "__main__":
    Trainer(Settings()).run()
