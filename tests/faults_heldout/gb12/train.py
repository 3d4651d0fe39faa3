#!/usr/bin/env python
"""Tag short support tickets; a ticket can carry several tags."""
import csv
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import f1_score

random.seed(0)
torch.manual_seed(0)
path = Path(__file__).with_name("tickets.csv")


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    random.shuffle(rows)
    tags = sorted({t for r in rows for t in r["tags"].split("|") if t})
    return rows, tags


def build_vocab(rows, min_count=3):
    counts = Counter(w for r in rows for w in r["text"].split())
    return {w: i for i, (w, c) in enumerate(counts.most_common()) if c >= min_count}


def encode(rows, vocab, tags):
    x = np.zeros((len(rows), len(vocab)), np.float32)
    y = np.zeros((len(rows), len(tags)), np.float32)
    for i, r in enumerate(rows):
        for w in r["text"].split():
            if w in vocab:
                x[i, vocab[w]] += 1
        for t in r["tags"].split("|"):
            if t:
                y[i, tags.index(t)] = 1
    return torch.from_numpy(np.log1p(x)), torch.from_numpy(y)


rows, tags = read(path)
n_dev = len(rows) // 5
dev_rows, train_rows = rows[:n_dev], rows[n_dev:]
vocab = build_vocab(train_rows)
x, y = encode(train_rows, vocab, tags)
xd, yd = encode(dev_rows, vocab, tags)
print(f"{len(train_rows)} train / {len(dev_rows)} dev tickets, {len(vocab)} words, tags: {', '.join(tags)}")

model = torch.nn.Sequential(
    torch.nn.Linear(len(vocab), 64),
    torch.nn.ReLU(),
    torch.nn.Dropout(0.3),
    torch.nn.Linear(64, len(tags)),
)
loss_fn = torch.nn.CrossEntropyLoss()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)

for epoch in range(1, 26):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x)).split(50):
        loss = loss_fn(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        pred = (torch.sigmoid(model(xd)) > 0.5).int().numpy()
    micro = f1_score(yd.int().numpy(), pred, average="micro", zero_division=0)
    exact = (pred == yd.int().numpy()).all(1).mean()
    print(f"{epoch:2d}  loss {total / len(x):.4f}  dev micro-F1 {micro:.3f}  exact {exact:.3f}", file=sys.stdout)
