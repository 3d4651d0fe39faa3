import time

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from listops.data import collate, make_split
from listops.model import Classifier

EPOCHS, WARMUP, LR = 7, 60, 2e-3


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.inference_mode():
        for x, y, pad in loader:
            hits += (model(x, pad).argmax(-1) == y).sum().item()
            total += y.numel()
    model.train()
    return hits / total


def main():
    torch.manual_seed(1)
    train_set = list(zip(*make_split(4000, seed=100)))
    val_set = list(zip(*make_split(800, seed=200)))
    train = DataLoader(train_set, 64, shuffle=True, collate_fn=collate)
    val = DataLoader(val_set, 200, collate_fn=collate)

    model = Classifier()
    opt = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), weight_decay=0.01)
    total = EPOCHS * len(train)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min((s + 1) / WARMUP, max(0.0, (total - s) / (total - WARMUP)))
    )
    for epoch in range(EPOCHS):
        t0, running = time.perf_counter(), 0.0
        for x, y, pad in train:
            loss = cross_entropy(model(x, pad), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            running += loss.item()
        print(f"epoch {epoch} loss {running / len(train):.3f} val_acc {accuracy(model, val):.3f} ({time.perf_counter() - t0:.1f}s)")


main()
