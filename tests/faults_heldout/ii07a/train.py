import json
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import ShardStream, load_test
from zoo import ConvNet


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, value, n):
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / max(1, self.count)


def train_epoch(model, loader, criterion, optimizer, scheduler):
    model.train()
    meter = Meter()
    for image, digit in loader:
        optimizer.zero_grad()
        loss = criterion(model(image), digit)
        loss.backward()
        optimizer.step()
        scheduler.step()
        meter.add(loss.item(), len(digit))
    return meter.mean


@torch.inference_mode()
def test(model, images, digits, criterion):
    model.eval()
    logits = model(images)
    per_class = []
    for k in range(logits.shape[1]):
        rows = digits == k
        per_class.append((logits[rows].argmax(1) == k).float().mean().item())
    return criterion(logits, digits).item(), (logits.argmax(1) == digits).float().mean().item(), per_class


def main(path):
    with open(path) as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    stream = ShardStream(cfg["shards"])
    loader = DataLoader(stream, batch_size=cfg["batch"])
    images, digits = load_test(cfg["test"])
    print(f"{len(stream.paths)} shards with {len(stream)} digits, {len(digits)} test digits")

    model = ConvNet(**cfg["model"])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), nesterov=True, **cfg["optim"])
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=cfg["epochs"] * len(loader))
    start = time.time()
    for epoch in range(cfg["epochs"]):
        loss = train_epoch(model, loader, criterion, optimizer, scheduler)
        test_loss, acc, per_class = test(model, images, digits, criterion)
        print(f"epoch {epoch} loss {loss:.4f} test loss {test_loss:.4f} acc {acc:.4f} ({time.time() - start:.1f}s)")
    print("recall per digit", " ".join(f"{v:.2f}" for v in per_class))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "run.json")
