from dataclasses import dataclass

import torch
import torch.nn.functional as F

from genome_io import read_table
from promoter_model import PromoterNet


@dataclass
class Settings:
    train: str = "data/train.tsv"
    test: str = "data/test.tsv"
    epochs: int = 5
    batch: int = 64
    lr: float = 4e-3
    decay: float = 0.05
    seed: int = 14


def loop(x, y, size, gen):
    for idx in torch.randperm(len(y), generator=gen).split(size):
        yield x[idx], y[idx]


def report(model, x, y):
    model.eval()
    with torch.inference_mode():
        logits = model(x)
    model.train()
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def run(s):
    torch.manual_seed(s.seed)
    gen = torch.Generator().manual_seed(s.seed)
    x, y = read_table(s.train)
    tx, ty = read_table(s.test)
    model = PromoterNet(x.shape[1], int(y.max()) + 1)
    opt = torch.optim.AdamW(model.parameters(), lr=s.lr, weight_decay=s.decay)
    total = s.epochs * -(-len(y) // s.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=s.lr, total_steps=total, pct_start=0.1)

    for epoch in range(s.epochs):
        acc_loss = 0.0
        for bx, by in loop(x, y, s.batch, gen):
            loss = F.cross_entropy(model(bx), by)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            acc_loss += loss.item() * len(by)
        test_loss, test_acc = report(model, tx, ty)
        print(f"{epoch + 1:>3} {acc_loss / len(y):.4f} {test_loss:.4f} {test_acc:.3f}")


if __name__ == "__main__":
    print("ep  train  test   acc")
    run(Settings())
