from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .optim import layerwise_adamw


@dataclass
class TrainArgs:
    epochs: int
    lr: float
    layer_decay: float


class Finetuner:
    def __init__(self, model, args):
        self.model, self.args = model, args
        self.opt = layerwise_adamw(model, args.lr, args.layer_decay)
        self.sched = torch.optim.lr_scheduler.LinearLR(self.opt, 1.0, 0.1, total_iters=args.epochs)

    def fit(self, train, val):
        for epoch in range(1, self.args.epochs + 1):
            self.model.train()
            tot = n = 0
            for ids, y in train:
                loss = F.cross_entropy(self.model(ids), y)
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                tot += loss.item() * len(y)
                n += len(y)
            self.sched.step()
            vl, va = self.evaluate(val)
            print(f"epoch {epoch:2d}: train {tot / n:.4f} val {vl:.4f} acc {va:.4f}", flush=True)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss = hit = n = 0
        for ids, y in loader:
            out = self.model(ids)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, hit / n
