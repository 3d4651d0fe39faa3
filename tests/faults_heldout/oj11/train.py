import argparse
import random

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import Tickets, build_vocab, collate, read_rows
from model import Router

p = argparse.ArgumentParser()
p.add_argument("--tickets", default="tickets.jsonl")
p.add_argument("--epochs", type=int, default=7)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--seed", type=int, default=0)
args = p.parse_args()
torch.manual_seed(args.seed)
random.seed(args.seed)

rows = read_rows(args.tickets)
random.shuffle(rows)
train_rows, dev_rows = rows[:1250], rows[1250:]
vocab = build_vocab(train_rows)
queues = sorted({r["queue"] for r in rows})
train = DataLoader(Tickets(train_rows, vocab, queues), args.batch, shuffle=True, collate_fn=collate)
dev = DataLoader(Tickets(dev_rows, vocab, queues), args.batch, collate_fn=collate)

net = Router(len(vocab) + 2, len(queues))
opt = torch.optim.Adam(net.parameters(), lr=args.lr)
for epoch in range(1, args.epochs + 1):
    net.train()
    seen = total = 0
    for x, n, y in train:
        loss = F.cross_entropy(net(x, n), y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        total += loss.item() * len(y)
        seen += len(y)
    net.eval()
    hits = dev_loss = 0
    with torch.no_grad():
        for x, n, y in dev:
            out = net(x, n)
            dev_loss += F.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
    print(f"epoch {epoch}: loss {total / seen:.4f}  dev loss {dev_loss / len(dev_rows):.4f}  dev acc {hits / len(dev_rows):.3f}")
