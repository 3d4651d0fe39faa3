import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from averaging import WeightAverage
from logs import N_EVENTS, PAIRS, LogSet, pad_batch
from transformer import LogTransformer


@dataclass
class Config:
    epochs: int = 6
    micro_batch: int = 16
    accumulate: int = 4
    lr: float = 2e-3
    warmup: int = 40
    ema_decay: float = 0.97
    clip: float = 1.0
    seed: int = 12


def lr_lambda(total, warmup):
    def f(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))
    return f


@torch.no_grad()
def accuracy(model, loader):
    training = model.training
    model.eval()
    good = n = 0
    for x, y in loader:
        good += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    model.train(training)
    return good / n


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    train_loader = DataLoader(LogSet(3200, 51), cfg.micro_batch, shuffle=True, collate_fn=pad_batch)
    val_loader = DataLoader(LogSet(500, 52), 100, collate_fn=pad_batch)

    model = LogTransformer(N_EVENTS, len(PAIRS))
    ema = WeightAverage(model, cfg.ema_decay)
    decay = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=cfg.lr)
    updates = cfg.epochs * (len(train_loader) // cfg.accumulate)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda(updates, cfg.warmup))
    criterion = nn.CrossEntropyLoss()

    model.train()
    for epoch in range(cfg.epochs):
        total = 0.0
        opt.zero_grad()
        for i, (x, y) in enumerate(train_loader, 1):
            loss = criterion(model(x), y)
            (loss / cfg.accumulate).backward()
            total += loss.item()
            if i % cfg.accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
                opt.step()
                opt.zero_grad()
                sched.step()
                ema.update(model)
        print(f"epoch {epoch:2d} loss {total / len(train_loader):.4f} acc {accuracy(model, val_loader):.3f} "
              f"acc(ema) {accuracy(ema.model, val_loader):.3f} lr {sched.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
