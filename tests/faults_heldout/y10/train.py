import argparse
import json
import pathlib

import numpy as np
import torch
import torch.nn as nn

p = argparse.ArgumentParser(description="multi-label tagger for product records")
p.add_argument("--hidden", type=int, default=128)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--epochs", type=int, default=20)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--fold", default="fold3.json")
args = p.parse_args()

base = pathlib.Path(__file__).parent
torch.manual_seed(17)
feats = torch.from_numpy(np.load(base / "features.npy")).float()
tags = torch.from_numpy(np.load(base / "tags.npy")).float()
fold = json.loads((base / args.fold).read_text())
tr, va = torch.tensor(fold["train"]), torch.tensor(fold["valid"])

mean, std = feats[tr].mean(0), feats[tr].std(0)
feats = (feats - mean) / std

model = nn.Sequential(
    nn.Linear(feats.shape[1], args.hidden), nn.ReLU(), nn.Dropout(0.25),
    nn.Linear(args.hidden, args.hidden), nn.ReLU(), nn.Dropout(0.25),
    nn.Linear(args.hidden, tags.shape[1]),
)
opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
bce = nn.BCEWithLogitsLoss()


def micro_f1(logits, y):
    hat = (logits > 0).float()
    tp = (hat * y).sum()
    return (2 * tp / (hat.sum() + y.sum()).clamp(min=1)).item()


def validate():
    model.eval()
    with torch.no_grad():
        out = model(feats[va])
        return bce(out, tags[va]).item(), micro_f1(out, tags[va])


best = 0.0
for epoch in range(args.epochs):
    model.train()
    running = 0.0
    for idx in tr[torch.randperm(len(tr))].split(args.batch):
        opt.zero_grad()
        loss = bce(model(feats[idx]), tags[idx])
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
    vloss, f1 = validate()
    best = max(best, f1)
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1:3d}: train {running / len(tr):.4f}  valid {vloss:.4f}  micro-F1 {f1:.4f}")
print(f"n_train={len(tr)} n_valid={len(va)} best micro-F1 {best:.4f}")
