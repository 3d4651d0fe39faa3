"""Leaf species from shape measurements, read from the CSV as a stream."""
import argparse
import csv
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

parser = argparse.ArgumentParser()
parser.add_argument("--train", default="leaves_train.csv")
parser.add_argument("--test", default="leaves_test.csv")
parser.add_argument("--buffer", type=int, default=2048, help="rows held in the shuffle buffer")
parser.add_argument("--batch", type=int, default=12)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--lr", type=float, default=0.025)
parser.add_argument("--seed", type=int, default=0)
cfg = parser.parse_args()
torch.manual_seed(cfg.seed)
random.seed(cfg.seed)

SPECIES = ["acer", "alnus", "betula", "carpinus", "corylus", "fagus"]


def rows(path):
    with open(path, newline="") as fh:
        reader = csv.reader(fh)
        next(reader)
        for *values, name in reader:
            yield torch.tensor([float(v) for v in values]), SPECIES.index(name)


class LeafStream(IterableDataset):
    def __init__(self, path, buffer):
        self.path, self.buffer = path, buffer

    def __iter__(self):
        held = []
        for row in rows(self.path):
            if len(held) < self.buffer:
                held.append(row)
                continue
            k = random.randrange(self.buffer)
            row, held[k] = held[k], row
            yield row
        random.shuffle(held)
        yield from held


class LeafNet(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.layers = nn.Sequential(nn.Linear(len(mean), 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(),
                                    nn.Linear(48, len(SPECIES)))

    def forward(self, x):
        return self.layers((x - self.mean) / self.std)


x_all = torch.stack([x for x, _ in rows(cfg.train)])
x_test, y_test = map(list, zip(*rows(cfg.test)))
x_test, y_test = torch.stack(x_test), torch.tensor(y_test)

model = LeafNet(x_all.mean(0), x_all.std(0))
optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=1e-3)
loader = DataLoader(LeafStream(cfg.train, cfg.buffer), batch_size=cfg.batch)

for epoch in range(1, cfg.epochs + 1):
    model.train()
    total = n = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        n += len(y)
    model.eval()
    with torch.no_grad():
        logits = model(x_test)
        test_loss = nn.functional.cross_entropy(logits, y_test).item()
        acc = (logits.argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch:2d}: train loss {total / n:.4f}, test loss {test_loss:.4f}, test accuracy {acc:.4f}")
