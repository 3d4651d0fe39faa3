"""
Character language model on a corpus of short phrases.

Trains a small decoder-style transformer with teacher forcing. At the end the model is scored
in the way it is used in the product: predict each next character from a typed prefix.
"""
import json
import math
import time
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    corpus: str = "phrases.txt"
    block: int = 56
    width: int = 48
    heads: int = 4
    depth: int = 2
    dropout: float = 0.05
    batch: int = 24
    steps: int = 220
    lr: float = 3e-3
    warmup: int = 30
    weight_decay: float = 0.05
    seed: int = 12


class Tokenizer:
    PAD, BOS = 0, 1

    def __init__(self, lines):
        chars = sorted({c for line in lines for c in line})
        self.stoi = {c: i + 2 for i, c in enumerate(chars)}
        self.itos = {i: c for c, i in self.stoi.items()}
        self.size = len(chars) + 2

    def encode(self, text):
        return [self.BOS] + [self.stoi[c] for c in text]

    def decode(self, ids):
        return "".join(self.itos.get(int(i), "") for i in ids)


def pack(lines, tok, block):
    out = torch.full((len(lines), block), tok.PAD)
    for i, line in enumerate(lines):
        ids = tok.encode(line)[:block]
        out[i, : len(ids)] = torch.tensor(ids)
    return out


class SelfAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        assert cfg.width % cfg.heads == 0
        self.heads = cfg.heads
        self.qkv = nn.Linear(cfg.width, 3 * cfg.width, bias=False)
        self.proj = nn.Linear(cfg.width, cfg.width)
        self.p = cfg.dropout

    def forward(self, x, keep):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        mask = keep[:, None, None, :]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=self.p if self.training else 0.0)
        return self.proj(y.transpose(1, 2).reshape(b, t, c))


class Layer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ln1 = nn.LayerNorm(cfg.width)
        self.ln2 = nn.LayerNorm(cfg.width)
        self.att = SelfAttention(cfg)
        self.mlp = nn.Sequential(
            nn.Linear(cfg.width, 4 * cfg.width),
            nn.GELU(),
            nn.Linear(4 * cfg.width, cfg.width),
            nn.Dropout(cfg.dropout),
        )

    def forward(self, x, keep):
        x = x + self.att(self.ln1(x), keep)
        return x + self.mlp(self.ln2(x))


class CharLM(nn.Module):
    def __init__(self, cfg, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, cfg.width)
        self.pos = nn.Embedding(cfg.block, cfg.width)
        self.layers = nn.ModuleList([Layer(cfg) for _ in range(cfg.depth)])
        self.ln = nn.LayerNorm(cfg.width)
        self.head = nn.Linear(cfg.width, vocab, bias=False)
        nn.init.normal_(self.tok.weight, std=0.02)
        nn.init.normal_(self.pos.weight, std=0.02)
        self.head.weight = self.tok.weight

    def forward(self, ids):
        keep = ids != Tokenizer.PAD
        x = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        for layer in self.layers:
            x = layer(x, keep)
        return self.head(self.ln(x))


def lm_loss(model, ids):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=Tokenizer.PAD)


@torch.no_grad()
def valid_loss(model, ids, batch=64):
    model.eval()
    parts = [(lm_loss(model, b).item(), int((b[:, 1:] != 0).sum())) for b in ids.split(batch)]
    model.train()
    n = sum(c for _, c in parts)
    return sum(l * c for l, c in parts) / n


@torch.no_grad()
def typing_score(model, ids):
    """Feed growing prefixes and look at the distribution of the character that follows."""
    model.eval()
    nll = hits = n = 0
    for t in range(1, ids.size(1)):
        target = ids[:, t]
        live = target != Tokenizer.PAD
        if not live.any():
            break
        logits = model(ids[live, :t])[:, -1]
        nll += F.cross_entropy(logits, target[live], reduction="sum").item()
        hits += (logits.argmax(-1) == target[live]).sum().item()
        n += int(live.sum())
    model.train()
    return nll / n, hits / n


@torch.no_grad()
def complete(model, tok, prefix, block, n=24):
    model.eval()
    ids = torch.tensor([tok.encode(prefix)])
    for _ in range(n):
        if ids.size(1) >= block:
            break
        nxt = model(ids)[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
    model.train()
    return tok.decode(ids[0, 1:])


def lr_at(step, cfg):
    if step < cfg.warmup:
        return cfg.lr * (step + 1) / cfg.warmup
    frac = (step - cfg.warmup) / max(1, cfg.steps - cfg.warmup)
    return cfg.lr * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * frac)))


def batches(ids, size, gen):
    while True:
        for idx in torch.randperm(len(ids), generator=gen).split(size):
            if len(idx) == size:
                yield ids[idx]


def main():
    cfg = Config()
    print(json.dumps(asdict(cfg)))
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    with open(cfg.corpus) as f:
        lines = f.read().splitlines()
    n_val = len(lines) // 8
    tok = Tokenizer(lines)
    train, val = pack(lines[n_val:], tok, cfg.block), pack(lines[:n_val], tok, cfg.block)
    model = CharLM(cfg, tok.size)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(train)} train / {len(val)} val phrases")

    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay, betas=(0.9, 0.98))
    stream = batches(train, cfg.batch, gen)
    start = time.time()
    for step in range(cfg.steps):
        for group in opt.param_groups:
            group["lr"] = lr_at(step, cfg)
        loss = lm_loss(model, next(stream))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 40 == 0 or step == cfg.steps - 1:
            print(f"step {step:4d} train {loss.item():.4f} valid {valid_loss(model, val):.4f} {time.time() - start:.1f}s")

    nll, acc = typing_score(model, val)
    print(f"typing: nll {nll:.4f} accuracy {acc:.3f}")
    for p in ("the old sai", "my quiet bak", "every t"):
        print(repr(complete(model, tok, p, cfg.block)))


if __name__ == "__main__":
    main()
