import random
from collections import Counter
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
import yaml


def as_ns(d):
    return SimpleNamespace(**{k: as_ns(v) if isinstance(v, dict) else v for k, v in d.items()})


cfg = as_ns(yaml.safe_load(open("config.yaml")))
torch.manual_seed(cfg.seed)

rows = [line.rstrip("\n").split("\t") for line in open(cfg.data)]
random.Random(cfg.seed).shuffle(rows)
n_val = len(rows) // 5
val_rows, train_rows = rows[:n_val], rows[n_val:]

counts = Counter(w for _, text in train_rows for w in text.split())
vocab = {"<pad>": 0, "<unk>": 1, "<cls>": 2}
for w in sorted(counts):
    vocab[w] = len(vocab)
labels = {c: i for i, c in enumerate(sorted({c for c, _ in train_rows}))}


def encode(part):
    ids = torch.zeros(len(part), cfg.max_len, dtype=torch.long)
    for r, (_, text) in enumerate(part):
        toks = [2] + [vocab.get(w, 1) for w in text.split()]
        toks = toks[: cfg.max_len]
        ids[r, : len(toks)] = torch.tensor(toks)
    return ids, torch.tensor([labels[c] for c, _ in part])


class Block(nn.Module):
    def __init__(self, d, heads, ffn, p):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, dropout=p, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, ffn), nn.GELU(), nn.Dropout(p), nn.Linear(ffn, d))
        self.drop = nn.Dropout(p)

    def forward(self, x, pad):
        h = self.n1(x)
        x = x + self.drop(self.att(h, h, h, key_padding_mask=pad, need_weights=False)[0])
        return x + self.drop(self.ff(self.n2(x)))


class IntentModel(nn.Module):
    def __init__(self, m, n_words, n_classes):
        super().__init__()
        self.tok = nn.Embedding(n_words, m.dim, padding_idx=0)
        self.pos = nn.Parameter(0.1 * torch.randn(1, cfg.max_len, m.dim))
        self.blocks = nn.ModuleList(Block(m.dim, m.heads, m.ffn, m.dropout) for _ in range(m.layers))
        self.norm = nn.LayerNorm(m.dim)
        self.head = nn.Linear(m.dim, n_classes)

    def forward(self, ids):
        pad = ids == 0
        x = self.tok(ids) + self.pos
        for blk in self.blocks:
            x = blk(x, pad)
        return self.head(self.norm(x[:, 0]))


def param_groups(model, wd):
    """No decay on biases, norms and embeddings."""
    decay = [p for p in model.blocks.parameters() if p.ndim > 1] + [model.head.weight]
    seen = {id(p) for p in decay}
    rest = [p for p in model.parameters() if id(p) not in seen]
    return [{"params": decay, "weight_decay": wd}, {"params": rest, "weight_decay": 0.0}]


xtr, ytr = encode(train_rows)
xva, yva = encode(val_rows)
model = IntentModel(cfg.model, len(vocab), len(labels))
scale = cfg.batch_size / cfg.optim.reference_batch
opt = torch.optim.AdamW(param_groups(model, cfg.optim.weight_decay), lr=cfg.optim.lr * scale)
total = cfg.epochs * (len(xtr) // cfg.batch_size)
warm = cfg.optim.warmup_steps
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: (s + 1) / warm if s < warm else max(0.02, (total - s) / (total - warm)))

step = 0
for epoch in range(cfg.epochs):
    model.train()
    perm = torch.randperm(len(xtr))
    for b in perm.split(cfg.batch_size):
        if len(b) < cfg.batch_size:
            continue
        loss = F.cross_entropy(model(xtr[b]), ytr[b])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 15 == 0:
            print(f"[{step:4d}/{total}] loss={loss.item():.4f}")
        step += 1
    model.eval()
    with torch.no_grad():
        out = model(xva)
        print(f"epoch {epoch + 1}: val_loss={F.cross_entropy(out, yva):.4f} "
              f"val_acc={(out.argmax(1) == yva).float().mean():.3f}")
