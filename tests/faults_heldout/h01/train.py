import argparse
import time

import torch
from torch import nn

from data import loaders
from model import SmallResNet


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=15)
    p.add_argument("--batch-size", type=int, default=48)
    p.add_argument("--max-lr", type=float, default=0.15)
    p.add_argument("--weight-decay", type=float, default=5e-4)
    p.add_argument("--smoothing", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = total = 0
    nll = 0.0
    for x, y in loader:
        logits = model(x)
        nll += nn.functional.cross_entropy(logits, y, reduction="sum").item()
        hits += (logits.argmax(1) == y).sum().item()
        total += len(y)
    return nll / total, hits / total


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train, val, test = loaders(args.batch_size)
    model = SmallResNet()
    criterion = nn.CrossEntropyLoss(label_smoothing=args.smoothing)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.max_lr, epochs=args.epochs,
                                                steps_per_epoch=len(train), pct_start=0.25)
    for epoch in range(args.epochs):
        model.train()
        t0, running, seen = time.time(), 0.0, 0
        for x, y in train:
            opt.zero_grad(set_to_none=True)
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item() * len(y)
            seen += len(y)
        nll, acc = evaluate(model, val)
        print(f"epoch {epoch:2d}  train {running / seen:.4f}  val nll {nll:.4f}  acc {acc:.4f}  "
              f"lr {sched.get_last_lr()[0]:.4f}  {time.time() - t0:.1f}s")
    nll, acc = evaluate(model, test)
    print(f"test nll {nll:.4f}  acc {acc:.4f}")


if __name__ == "__main__":
    main()
