"""Routes support tickets to a queue.   python train.py config.json"""
import json
import random
import re
import sys
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "config.json"))
random.seed(cfg["seed"])
torch.manual_seed(cfg["seed"])


def read_tickets(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    random.shuffle(rows)
    return rows


rows = read_tickets(cfg["data"]["path"])
queues = sorted({q for q, _ in rows})
n_val = int(len(rows) * cfg["data"]["val_share"])
val_rows, train_rows = rows[:n_val], rows[n_val:]

counts = Counter(w for _, t in train_rows for w in t.split())
vocab = {"<pad>": 0, "<unk>": 1}
for w, c in counts.most_common():
    if c >= cfg["data"]["min_count"]:
        vocab[w] = len(vocab)
MAX = cfg["data"]["max_words"]


def encode(rows):
    x = torch.zeros(len(rows), MAX, dtype=torch.long)
    for i, (_, t) in enumerate(rows):
        ids = [vocab.get(w, 1) for w in t.split()][:MAX]
        x[i, : len(ids)] = torch.tensor(ids)
    y = torch.tensor([queues.index(q) for q, _ in rows])
    return x, y


class TicketNet(nn.Module):
    def __init__(self, n_words, dim, channels, widths, n_out):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim, padding_idx=0)
        self.encoder = nn.ModuleList([nn.Conv1d(dim, channels, w, padding=w // 2) for w in widths])
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(channels * len(widths), n_out)

    def forward(self, x):
        e = self.embed(x).transpose(1, 2)
        pooled = [F.relu(conv(e)).amax(dim=2) for conv in self.encoder]
        return self.head(self.drop(torch.cat(pooled, dim=1)))


def build_optimizer(model, opt_cfg):
    groups = []
    for g in opt_cfg["groups"]:
        params = [p for n, p in model.named_parameters() if re.search(g["match"], n)]
        groups.append({"params": params, "lr": g["lr"], "weight_decay": g["weight_decay"]})
    return torch.optim.AdamW(groups)


xt, yt = encode(train_rows)
xv, yv = encode(val_rows)
m = cfg["model"]
model = TicketNet(len(vocab), m["dim"], m["channels"], m["widths"], len(queues))
opt = build_optimizer(model, cfg["optimizer"])
print(f"{len(train_rows)} tickets, {len(vocab)} words, {len(queues)} queues")

bs = cfg["batch_size"]
for epoch in range(cfg["epochs"]):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(xt)).split(bs):
        loss = F.cross_entropy(model(xt[idx]), yt[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        acc = (model(xv).argmax(1) == yv).float().mean().item()
    print(f"epoch {epoch + 1:2d}  train loss {total / len(xt):.4f}  val acc {acc:.3f}")
