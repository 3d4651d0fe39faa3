"""Route support tickets to a queue. Bag of hashed words -> small MLP.

Half precision keeps the embedding table small enough for the edge boxes.
"""
import argparse
import json
import logging
import math
import re
import zlib
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

BASE = Path(__file__).resolve().parent
logger = logging.getLogger("router")
TOKEN = re.compile(r"[a-z]+\d*")


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--tickets", type=Path, default=BASE / "tickets.jsonl")
    p.add_argument("--buckets", type=int, default=8192)
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--max-len", type=int, default=24)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--dtype", choices=["float16", "float32"], default="float16")
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def hash_tokens(text, buckets, max_len):
    ids = [1 + zlib.crc32(tok.encode()) % (buckets - 1) for tok in TOKEN.findall(text.lower())]
    ids = ids[:max_len]
    return ids + [0] * (max_len - len(ids))


def read_tickets(path, buckets, max_len):
    ids, labels, queues = [], [], {}
    with open(path) as f:
        for line in f:
            rec = json.loads(line)
            ids.append(hash_tokens(rec["text"], buckets, max_len))
            labels.append(queues.setdefault(rec["queue"], len(queues)))
    return torch.tensor(ids), torch.tensor(labels), list(queues)


class Router(nn.Module):
    def __init__(self, buckets, dim, n_queues):
        super().__init__()
        self.emb = nn.Embedding(buckets, dim, padding_idx=0)
        self.fc1 = nn.Linear(dim, 64)
        self.fc2 = nn.Linear(64, n_queues)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids):
        e = self.emb(ids)
        mask = (ids != 0).unsqueeze(-1).to(e.dtype)
        e = e * mask
        pooled = e.sum(1) / mask.sum(1).clamp(min=1).sqrt()
        return self.fc2(self.drop(F.relu(self.fc1(pooled))))


def batches(ids, labels, size, shuffle):
    order = torch.randperm(len(labels)) if shuffle else torch.arange(len(labels))
    for chunk in order.split(size):
        yield ids[chunk], labels[chunk]


@torch.inference_mode()
def accuracy(model, ids, labels):
    model.eval()
    hits, loss = 0, 0.0
    for xb, yb in batches(ids, labels, 256, shuffle=False):
        logits = model(xb).float()
        loss += F.cross_entropy(logits, yb, reduction="sum").item()
        hits += (logits.argmax(-1) == yb).sum().item()
    return loss / len(labels), hits / len(labels)


def main():
    args = parse_args()
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
    torch.manual_seed(args.seed)

    ids, labels, queues = read_tickets(args.tickets, args.buckets, args.max_len)
    perm = torch.randperm(len(labels))
    n_val = len(labels) // 5
    val, train = perm[:n_val], perm[n_val:]
    logger.info("%d tickets for training, %d for valing, queues %s", len(train), len(val), queues)

    model = Router(args.buckets, args.dim, len(queues)).to(getattr(torch, args.dtype))
    size_mb = sum(p.numel() * p.element_size() for p in model.parameters()) / 2**20
    logger.info("model size %.2f MB (%s)", size_mb, args.dtype)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    steps = math.ceil(len(train) / args.batch_size)

    best = 0.0
    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for step, (xb, yb) in enumerate(batches(ids[train], labels[train], args.batch_size, True), 1):
            loss = F.cross_entropy(model(xb).float(), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
            if step % 10 == 0:
                logger.info("epoch %d step %d/%d loss %.4f", epoch, step, steps, running / step)
        val_loss, val_acc = accuracy(model, ids[val], labels[val])
        logger.info("epoch %d done: val loss %.4f, val accuracy %.3f", epoch, val_loss, val_acc)
        if val_acc > best:
            best = val_acc
            torch.save({"model": model.state_dict(), "queues": queues}, BASE / "router.pt")
    logger.info("best val accuracy %.3f", best)


if __name__ == "__main__":
    main()
