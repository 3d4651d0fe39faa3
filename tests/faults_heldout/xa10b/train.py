#!/usr/bin/env python
"""Surface defect grading from inspection measurements (ok / scratch / crack)."""
import csv
import os
from collections import defaultdict

import torch
import torch.nn as nn

BASE = os.path.dirname(os.path.abspath(__file__))
GRADES = ["ok", "scratch", "crack"]


def read(name):
    feats, grade = [], []
    with open(os.path.join(BASE, name)) as f:
        for row in csv.DictReader(f):
            grade.append(GRADES.index(row.pop("grade")))
            feats.append([float(v) for v in row.values()])
    return torch.tensor(feats), torch.tensor(grade)


def per_class_recall(pred, y):
    hits = defaultdict(list)
    for p, t in zip(pred.tolist(), y.tolist()):
        hits[GRADES[t]].append(p == t)
    return {g: sum(hits[g]) / len(hits[g]) for g in GRADES}


torch.manual_seed(7)
x_train, y_train = read("train.csv")
x_test, y_test = read("test.csv")
center, spread = x_train.mean(0), x_train.std(0)
x_train, x_test = (x_train - center) / spread, (x_test - center) / spread

model = nn.Sequential(
    nn.Linear(x_train.shape[1], 32), nn.Tanh(), nn.Dropout(0.1),
    nn.Linear(32, 32), nn.Tanh(),
    nn.Linear(32, len(GRADES)),
)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
criterion = nn.CrossEntropyLoss()
batch_size = 64

for epoch in range(1, 31):
    model.train()
    order = torch.randperm(len(y_train))
    running = 0.0
    for start in range(0, len(order), batch_size):
        rows = order[start:start + batch_size]
        optimizer.zero_grad()
        loss = criterion(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(rows)
    if epoch % 3 == 0:
        model.eval()
        with torch.no_grad():
            logits = model(x_test)
        recall = per_class_recall(logits.argmax(1), y_test)
        acc = (logits.argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch:02d} loss {running / len(order):.3f} test loss {criterion(logits, y_test).item():.3f} acc {acc:.3f} recall "
              + " ".join(f"{g}={r:.2f}" for g, r in recall.items()))
