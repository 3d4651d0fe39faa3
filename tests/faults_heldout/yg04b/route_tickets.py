"""Route support tickets to a queue. Bag of hashed words -> small MLP.

Weights stay in float32 for training, the forward pass runs under bfloat16 autocast;
the exported file is float16 for the edge boxes.
"""
import argparse
import json
import logging
import re
import zlib
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

BASE = Path(__file__).resolve().parent
logger = logging.getLogger("router")
TOKEN = re.compile(r"[a-z]+\d*")


def read_tickets(path, buckets, max_len):
    ids, labels, queues = [], [], {}
    for line in path.read_text().splitlines():
        rec = json.loads(line)
        row = [1 + zlib.crc32(t.encode()) % (buckets - 1) for t in TOKEN.findall(rec["text"].lower())][:max_len]
        ids.append(row + [0] * (max_len - len(row)))
        labels.append(queues.setdefault(rec["queue"], len(queues)))
    return torch.tensor(ids), torch.tensor(labels), list(queues)


class Router(nn.Module):
    def __init__(self, buckets, dim, n_queues):
        super().__init__()
        self.emb = nn.Embedding(buckets, dim, padding_idx=0)
        self.mlp = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, n_queues))

    def forward(self, ids):
        n = (ids != 0).sum(1, keepdim=True).clamp(min=1)
        return self.mlp(self.emb(ids).sum(1) / n.sqrt())


def run(model, loader, optimizer=None):
    model.train(optimizer is not None)
    total, hits, n = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for xb, yb in loader:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(xb)
            loss = F.cross_entropy(logits.float(), yb)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(yb)
            hits += (logits.argmax(-1) == yb).sum().item()
            n += len(yb)
    return total / n, hits / n


def export(model, queues, path):
    weights = {k: v.half() for k, v in model.state_dict().items()}
    torch.save({"model": weights, "queues": queues}, path)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tickets", type=Path, default=BASE / "tickets.jsonl")
    p.add_argument("--buckets", type=int, default=8192)
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--max-len", type=int, default=24)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
    torch.manual_seed(args.seed)

    ids, labels, queues = read_tickets(args.tickets, args.buckets, args.max_len)
    perm = torch.randperm(len(labels))
    n_val = len(labels) // 5
    val, train = perm[:n_val], perm[n_val:]
    train_dl = DataLoader(TensorDataset(ids[train], labels[train]), args.batch_size, shuffle=True)
    val_dl = DataLoader(TensorDataset(ids[val], labels[val]), 256)

    model = Router(args.buckets, args.dim, len(queues))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    best = 0.0
    for epoch in range(1, args.epochs + 1):
        tr_loss, tr_acc = run(model, train_dl, optimizer)
        te_loss, te_acc = run(model, val_dl)
        logger.info("epoch %d  train %.4f/%.3f  val %.4f/%.3f", epoch, tr_loss, tr_acc, te_loss, te_acc)
        if te_acc > best:
            best = te_acc
            export(model, queues, BASE / "router.pt")
    logger.info("best val accuracy %.3f", best)


if __name__ == "__main__":
    main()
