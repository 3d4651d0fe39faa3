#!/usr/bin/env python
"""Route help-desk tickets to a queue. Tickets are streamed from a jsonl export.

usage: route_tickets.py [--train FILE] [--heldout FILE] [--buffer N] [--epochs N]
"""
import argparse
import json
import random
import re
import zlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

BUCKETS = 1024
QUEUES = ["access", "billing", "hardware", "network", "onboarding", "travel"]


def hashed(text):
    """Bag of hashed words."""
    return [zlib.crc32(w.encode()) % BUCKETS for w in re.findall(r"[a-z0-9]+", text.lower())]


class TicketStream(IterableDataset):
    """Reads the export line by line and mixes the lines in a buffer of bounded size."""

    def __init__(self, path, buffer, seed):
        self.path, self.buffer = path, buffer
        self.rng = random.Random(seed)

    def lines(self):
        with open(self.path) as fh:
            for line in fh:
                row = json.loads(line)
                yield hashed(row["text"]), QUEUES.index(row["queue"])

    def __iter__(self):
        held = []
        for item in self.lines():
            if len(held) < self.buffer:
                held.append(item)
                continue
            k = self.rng.randrange(self.buffer)
            yield held[k]
            held[k] = item
        self.rng.shuffle(held)
        yield from held


def collate(batch):
    ids = torch.tensor([i for feats, _ in batch for i in feats])
    starts = torch.tensor([0] + [len(feats) for feats, _ in batch[:-1]]).cumsum(0)
    return ids, starts, torch.tensor([q for _, q in batch])


class Router(nn.Module):
    def __init__(self, width=24, hidden=48):
        super().__init__()
        self.emb = nn.EmbeddingBag(BUCKETS, width, mode="mean")
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, hidden)
        self.out = nn.Linear(hidden, len(QUEUES))

    def forward(self, ids, starts):
        h = self.norm(self.emb(ids, starts))
        h = F.dropout(F.gelu(self.fc(h)), 0.3, self.training)
        return self.out(h)


@torch.no_grad()
def score(model, loader):
    model.eval()
    loss = hits = n = 0
    for ids, starts, y in loader:
        logits = model(ids, starts)
        loss += F.cross_entropy(logits, y, reduction="sum").item()
        hits += (logits.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="tickets.jsonl")
    ap.add_argument("--heldout", default="tickets_heldout.jsonl")
    ap.add_argument("--buffer", type=int, default=2048)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=21)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    train = DataLoader(TicketStream(a.train, a.buffer, a.seed), batch_size=16, collate_fn=collate)
    heldout = DataLoader(TicketStream(a.heldout, 1, 0), batch_size=100, collate_fn=collate)
    model = Router()
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.8)

    for epoch in range(a.epochs):
        model.train()
        total, n = 0.0, 0
        for ids, starts, y in train:
            loss = F.cross_entropy(model(ids, starts), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            n += len(y)
        vl, va = score(model, heldout)
        print(f"[{epoch + 1:02d}] {n} tickets  loss {total / n:.4f}  held-out loss {vl:.4f}  accuracy {va:.3f}")


if __name__ == "__main__":
    main()
