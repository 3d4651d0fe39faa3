"""Recognise hand gestures from wrist accelerometer windows (3 axes, 32 samples)."""
import json
import os

import numpy as np
import torch
import torch.nn.functional as F

from model import GestureNet

here = os.path.dirname(os.path.abspath(__file__))


def load():
    archive = np.load(os.path.join(here, "gestures.npz"))
    counts_per_g = 32.0
    to_x = lambda a: torch.from_numpy(a.astype(np.float32)) / counts_per_g
    to_y = lambda a: torch.from_numpy(a.astype(np.int64))
    return (to_x(archive["train_x"]), to_y(archive["train_y"]),
            to_x(archive["test_x"]), to_y(archive["test_y"]), list(archive["names"]))


def micro_batches(n, size):
    order = torch.randperm(n)
    for start in range(0, n - size + 1, size):
        yield order[start:start + size]


@torch.no_grad()
def test(model, x, y):
    model.eval()
    logits = model(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main(cfg):
    torch.manual_seed(cfg["seed"])
    train_x, train_y, test_x, test_y, names = load()
    print(f"{len(train_x)} training windows, {len(test_x)} test windows, {len(names)} gestures")
    model = GestureNet(train_x.shape[1], len(names), cfg["channels"], cfg["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    accumulate = cfg["accumulate"]

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        losses, hits, seen = [], 0, 0
        optimizer.zero_grad()
        for i, idx in enumerate(micro_batches(len(train_x), cfg["micro_batch"]), 1):
            logits = model(train_x[idx])
            loss = F.cross_entropy(logits, train_y[idx])
            (loss / accumulate).backward()
            if i % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
            losses.append(loss.item())
            hits += (logits.argmax(1) == train_y[idx]).sum().item()
            seen += len(idx)
        test_loss, test_acc = test(model, test_x, test_y)
        print(f"epoch {epoch:2d}  train loss {np.mean(losses):.4f} acc {hits / seen:.3f}  "
              f"test loss {test_loss:.4f} acc {test_acc:.3f}")


if __name__ == "__main__":
    with open(os.path.join(here, "config.json")) as fh:
        main(json.load(fh))
