"""Tiny character-level transformer on the ship's log corpus.

    python train.py --config run.json
"""
import argparse
import json
import math
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--config", default="run.json")
parser.add_argument("--sample", type=int, default=120)
args = parser.parse_args()

root = Path(__file__).resolve().parent
cfg = json.loads((root / args.config).read_text())
torch.manual_seed(cfg["seed"])

text = (root / "log.txt").read_text()
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train_ids, val_ids = ids[:cut], ids[cut:]
T = cfg["context"]


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.ln2 = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (
            z.view(b, t, self.heads, d // self.heads).transpose(1, 2)
            for z in self.qkv(self.ln1(x)).chunk(3, dim=-1)
        )
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.ln2(x))


class CharLM(nn.Module):
    def __init__(self, n_vocab, d, heads, depth):
        super().__init__()
        self.tok = nn.Embedding(n_vocab, d)
        self.pos = nn.Parameter(torch.randn(T, d) * 0.02)
        self.blocks = nn.Sequential(*[Block(d, heads) for _ in range(depth)])
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, n_vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        return self.head(self.ln(self.blocks(x)))


def get_batch(source, n):
    starts = torch.randint(len(source) - T - 1, (n,)).tolist()
    x = torch.stack([source[s : s + T] for s in starts])
    y = torch.stack([source[s + 1 : s + T + 1] for s in starts])
    return x, y


@torch.no_grad()
def val_loss():
    model.eval()
    n = (len(val_ids) - 1) // T
    x = val_ids[: n * T].view(n, T)
    y = val_ids[1 : n * T + 1].view(n, T)
    out = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    model.train()
    return out


model = CharLM(len(vocab), cfg["width"], cfg["heads"], cfg["depth"])
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.MultiStepLR(
    optimizer, milestones=cfg["milestones"], gamma=cfg["gamma"]
)

print(f"{len(text)} chars, vocab {len(vocab)}, uniform loss {math.log(len(vocab)):.3f}")
for epoch in range(cfg["epochs"]):
    total = 0.0
    for _ in range(cfg["steps_per_epoch"]):
        x, y = get_batch(train_ids, cfg["batch"])
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item()
    print(f"epoch {epoch:2d} train {total / cfg['steps_per_epoch']:.3f} val {val_loss():.3f}")

model.eval()
ctx = train_ids[:8].unsqueeze(0)
with torch.no_grad():
    for _ in range(args.sample):
        p = F.softmax(model(ctx[:, -T:])[:, -1], dim=-1)
        ctx = torch.cat([ctx, torch.multinomial(p, 1)], dim=1)
print("".join(vocab[i] for i in ctx[0].tolist()))
