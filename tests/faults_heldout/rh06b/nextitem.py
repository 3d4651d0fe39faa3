"""Next-item recommendation from browsing sessions with windowed self-attention."""
import argparse
import json
import random

import torch
import torch.nn.functional as F
from torch import nn


def load(path):
    with open(path) as fh:
        return [[int(t) for t in line.split()] for line in fh]


def pad(seqs, width):
    out = torch.zeros(len(seqs), width, dtype=torch.long)
    for r, s in enumerate(seqs):
        out[r, :len(s)] = torch.tensor(s)
    return out


def band(length, left, right):
    """True where query i may look at key j: i - left <= j <= i + right."""
    d = torch.arange(length)[None, :] - torch.arange(length)[:, None]
    return (d >= -left) & (d <= right)


class Block(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.drop(self.proj(a.transpose(1, 2).reshape(b, t, d)))
        return x + self.drop(self.ff(self.n2(x)))


class SessionModel(nn.Module):
    def __init__(self, items, length, dim, heads, layers, window, dropout):
        super().__init__()
        self.item = nn.Embedding(items + 1, dim, padding_idx=0)
        self.pos = nn.Parameter(torch.randn(length, dim) * 0.02)
        nn.init.normal_(self.item.weight, std=0.05)
        self.blocks = nn.ModuleList(Block(dim, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, items + 1)
        self.window = window

    def forward(self, ids):
        t = ids.shape[1]
        mask = band(t, *self.window)
        mask = mask & ((ids != 0)[:, None, None, :] | torch.eye(t, dtype=torch.bool))
        x = self.item(ids) + self.pos[:t]
        for block in self.blocks:
            x = block(x, mask)
        return self.out(self.norm(x))


@torch.no_grad()
def recommend(model, sessions, length, k=5):
    """Given all but the last click, is the last click among the k best? Also its log loss."""
    model.eval()
    ids = pad([s[:-1] for s in sessions], length)
    last = torch.tensor([len(s) - 2 for s in sessions])
    logits = model(ids)[torch.arange(len(ids)), last]
    want = torch.tensor([s[-1] for s in sessions])
    hit = (logits.topk(k, dim=1).indices == want[:, None]).any(1).float().mean().item()
    return hit, F.cross_entropy(logits, want).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="model.json")
    ap.add_argument("--epochs", type=int, default=8)
    a = ap.parse_args()
    with open(a.config) as fh:
        cfg = json.load(fh)
    torch.manual_seed(0)
    random.seed(0)
    train, held = load("sessions_train.txt"), load("sessions_heldout.txt")
    length = max(len(s) for s in train + held)
    model = SessionModel(length=length, **cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.02)
    steps = a.epochs * (len(train) // 32)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, total_steps=steps, pct_start=0.1)
    for epoch in range(a.epochs):
        model.train()
        random.shuffle(train)
        total, batches = 0.0, len(train) // 32
        for b in range(batches):
            chunk = train[b * 32:(b + 1) * 32]
            x = pad([s[:-1] for s in chunk], length)
            y = pad([s[1:] for s in chunk], length)
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=0)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        hit, nll = recommend(model, held, length)
        print(f"epoch {epoch + 1}  loss {total / batches:.3f}  held-out hit@5 {hit:.3f}  log loss {nll:.3f}")


if __name__ == "__main__":
    main()
