"""Patch transformer on the 8x8 digits, AdamW with warm-up and cosine decay."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=14)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--warmup", type=int, default=30)
parser.add_argument("--dim", type=int, default=48)
parser.add_argument("--seed", type=int, default=11)
args = parser.parse_args()

torch.manual_seed(args.seed)


class PatchTransformer(nn.Module):
    def __init__(self, dim, depth=2, heads=4, classes=10):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, kernel_size=2, stride=2)
        self.pos = nn.Parameter(torch.randn(1, 16, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, dim * 2, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patch(x).flatten(2).transpose(1, 2) + self.pos
        tokens = self.norm(self.encoder(tokens))
        return self.head(tokens.mean(dim=1))


digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
x = (x - 0.305) / 0.376
y = torch.tensor(digits.target)
tr, va = train_test_split(range(len(y)), test_size=0.2, stratify=digits.target, random_state=0)
train_dl = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=args.batch_size, shuffle=True, drop_last=True)
val_dl = DataLoader(TensorDataset(x[va], y[va]), batch_size=256)

model = PatchTransformer(args.dim)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
total_steps = args.epochs * len(train_dl)


def lr_at(step):
    warm = min(1.0, (step + 1) / args.warmup)
    progress = max(0, step - args.warmup) / max(1, total_steps - args.warmup)
    return args.lr * warm * 0.5 * (1.0 + math.cos(math.pi * progress))


scheduler = LambdaLR(optimizer, lr_at)

for epoch in range(args.epochs):
    model.train()
    running = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item()

    model.eval()
    hits = 0
    with torch.no_grad():
        for xb, yb in val_dl:
            hits += (model(xb).argmax(1) == yb).sum().item()
    print(f"epoch {epoch + 1:2d}  loss {running / len(train_dl):.4f}  val acc {hits / len(va):.4f}")
