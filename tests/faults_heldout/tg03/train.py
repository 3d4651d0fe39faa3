"""Masked language model, from scratch, on a small word-level corpus."""
import json
import random
import sys

import torch
import torch.nn.functional as F
from torch import nn

cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "mlm.json"))
torch.manual_seed(cfg["seed"])
random.seed(cfg["seed"])

lines = [l.split() for l in open(cfg["corpus"]).read().splitlines() if l]
assert len({" ".join(l) for l in lines}) == len(lines)
random.shuffle(lines)
n_val = len(lines) // 8
val_lines, train_lines = lines[:n_val], lines[n_val:]

PAD, MASK, UNK = 0, 1, 2
vocab = {w: i + 3 for i, w in enumerate(sorted({w for l in train_lines for w in l}))}
V = len(vocab) + 3


def encode(batch):
    width = max(map(len, batch))
    ids = torch.full((len(batch), width), PAD)
    for i, l in enumerate(batch):
        ids[i, : len(l)] = torch.tensor([vocab.get(w, UNK) for w in l])
    return ids


def corrupt(ids, gen=None):
    r = torch.rand(ids.shape, generator=gen)
    chosen = (r < cfg["mask_rate"]) & (ids != PAD)
    target = ids.masked_fill(~chosen, -100)
    kind = torch.rand(ids.shape, generator=gen)
    x = ids.clone()
    x[chosen & (kind < 0.8)] = MASK
    swap = chosen & (kind > 0.9)
    x[swap] = torch.randint(3, V, ids.shape, generator=gen)[swap]
    return x, target


class Encoder(nn.Module):
    def __init__(self, d, heads, layers, max_len, p):
        super().__init__()
        self.tok = nn.Embedding(V, d, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, d)
        nn.init.normal_(self.tok.weight, std=0.05)
        nn.init.normal_(self.pos.weight, std=0.05)
        layer = nn.TransformerEncoderLayer(d, heads, 3 * d, p, "gelu", batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, layers, nn.LayerNorm(d), enable_nested_tensor=False)
        self.out = nn.Linear(d, V)
        self.out.weight = self.tok.weight

    def forward(self, ids):
        h = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        return self.out(self.body(h, src_key_padding_mask=ids == PAD))


model = Encoder(cfg["d_model"], cfg["heads"], cfg["layers"], cfg["max_len"], cfg["dropout"])
opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
bs = cfg["batch_size"]
steps = cfg["epochs"] * -(-len(train_lines) // bs)
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min((s + 1) / cfg["warmup"], max(0.02, 1 - s / steps)))

val_x, val_t = corrupt(encode(val_lines), torch.Generator().manual_seed(99))


def validate():
    model.eval()
    with torch.no_grad():
        logits = model(val_x)
    loss = F.cross_entropy(logits.flatten(0, 1), val_t.flatten(), ignore_index=-100)
    m = val_t != -100
    return loss.item(), (logits.argmax(-1)[m] == val_t[m]).float().mean().item()


for epoch in range(cfg["epochs"]):
    model.train()
    random.shuffle(train_lines)
    total = count = 0
    for i in range(0, len(train_lines), bs):
        x, t = corrupt(encode(train_lines[i:i + bs]))
        loss = F.cross_entropy(model(x).flatten(0, 1), t.flatten(), ignore_index=-100)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        k = (t != -100).sum().item()
        total += loss.item() * k
        count += k
    if (epoch + 1) % 3 == 0:
        vl, va = validate()
        print(f"[{epoch + 1:02d}] mlm loss {total / count:.3f} | val loss {vl:.3f} | masked-token acc {va:.3f}")
