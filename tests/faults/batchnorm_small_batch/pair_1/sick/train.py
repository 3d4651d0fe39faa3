import argparse
import csv
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

FILE = Path(__file__).parent / "train.csv"
VAL_FILE = Path(__file__).parent / "val.csv"


def parse(path):
    with open(path, newline="") as handle:
        reader = csv.reader(handle)
        next(reader)
        return [([float(v) / 16 for v in row[:-1]], int(row[-1])) for row in reader]


class PixelRows(Dataset):
    def __init__(self, path):
        self.path = path
        self.rows = parse(path)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        values, label = self.rows[index]
        return torch.tensor(values), label


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10)
        )

    def forward(self, x):
        return self.layers(x)


def accuracy(model, loader):
    model.eval()
    good = total = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    model.train()
    return good / total


parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--epochs", type=int, default=10)
args = parser.parse_args()
torch.manual_seed(9)
train = DataLoader(PixelRows(FILE), batch_size=args.batch_size, shuffle=True)
val = DataLoader(PixelRows(VAL_FILE), batch_size=64)
model = MLP()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
loss_fn = nn.CrossEntropyLoss()

start = time.perf_counter()
for epoch in range(args.epochs):
    running, seen = 0.0, 0
    for x, y in train:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        running += loss.item() * len(y)
        seen += len(y)
    print(f"epoch {epoch} loss {running / seen:.4f} acc {accuracy(model, val):.3f} elapsed {time.perf_counter() - start:.1f}s")
