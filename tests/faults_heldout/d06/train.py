#!/usr/bin/env python
"""Bracket checker: is a string over ()[] balanced?  Small pre-norm transformer encoder."""
import math
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

VOCAB = {"<cls>": 0, "(": 1, ")": 2, "[": 3, "]": 4}
LENGTH = 16
PAIRS = {"(": ")", "[": "]"}


def balanced(rng, n):
    if n == 0:
        return ""
    k = rng.randrange(0, n, 2)
    o = rng.choice("([")
    return o + balanced(rng, k) + PAIRS[o] + balanced(rng, n - 2 - k)


def spoil(rng, s):
    s = list(s)
    for _ in range(rng.choice([1, 2, 3])):
        i = rng.randrange(len(s))
        s[i] = rng.choice([c for c in "()[]" if c != s[i]])
    return "".join(s)


def is_balanced(s):
    stack = []
    for c in s:
        if c in PAIRS:
            stack.append(PAIRS[c])
        elif not stack or stack.pop() != c:
            return False
    return not stack


class Brackets(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.rows = []
        for i in range(n):
            s = balanced(rng, LENGTH)
            if i % 2:
                s = spoil(rng, s)
            self.rows.append((torch.tensor([0] + [VOCAB[c] for c in s]), float(is_balanced(s))))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


class Checker(nn.Module):
    def __init__(self, d=48, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(len(VOCAB), d)
        self.pos = nn.Parameter(torch.randn(LENGTH + 1, d) * 0.1)
        layer = nn.TransformerEncoderLayer(d, heads, 2 * d, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, 1)

    def forward(self, ids):
        h = self.enc(self.tok(ids) + self.pos)
        return self.head(self.norm(h[:, 0])).squeeze(-1)


def warmup_cosine(optimizer, warmup, total):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warmup) / max(1, total - warmup))))
    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hit = sum(((model(x) > 0) == (y > 0.5)).sum().item() for x, y in loader)
    model.train()
    return hit / len(loader.dataset)


def main(epochs=8, batch_size=64, lr=1e-3, warmup_epochs=2):
    torch.manual_seed(0)
    train, test = Brackets(6000, 1), Brackets(1200, 2)
    loader = DataLoader(train, batch_size=batch_size, shuffle=True)
    test_loader = DataLoader(test, batch_size=400)
    model = Checker()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    scheduler = warmup_cosine(optimizer, warmup=warmup_epochs * len(train), total=epochs * len(train))
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        running = 0.0
        for x, y in loader:
            loss = loss_fn(model(x), y.float())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            running += loss.item() * len(x)
        print(f"epoch {epoch}: loss {running / len(train):.4f}, test accuracy {accuracy(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
