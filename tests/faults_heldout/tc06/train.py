"""Character language model for order lines (used as a typing-assistant prior)."""
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    file: str = "orders.txt"
    d_model: int = 48
    heads: int = 4
    layers: int = 2
    ff: int = 96
    dropout: float = 0.0
    lr: float = 4e-3
    weight_decay: float = 0.01
    warmup: int = 60
    epochs: int = 5
    batch: int = 48
    val_lines: int = 600
    seed: int = 4


PAD, BOS, EOS = 0, 1, 2


class Vocab:
    def __init__(self, lines):
        self.chars = sorted(set("".join(lines)))
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, s):
        return [BOS] + [self.index[c] for c in s] + [EOS]

    def decode(self, ids):
        return "".join(self.chars[i - 3] for i in ids if i > 2)


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(cfg.d_model), nn.LayerNorm(cfg.d_model)
        self.qkv = nn.Linear(cfg.d_model, 3 * cfg.d_model)
        self.proj = nn.Linear(cfg.d_model, cfg.d_model)
        self.mlp = nn.Sequential(nn.Linear(cfg.d_model, cfg.ff), nn.GELU(), nn.Linear(cfg.ff, cfg.d_model))
        self.heads = cfg.heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        # sequences are padded on the right, so the causal mask also hides the padding
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.ln2(x))


class CharLM(nn.Module):
    def __init__(self, cfg, vocab, max_len):
        super().__init__()
        self.tok = nn.Embedding(vocab, cfg.d_model)
        self.pos = nn.Embedding(max_len, cfg.d_model)
        self.blocks = nn.Sequential(*[Block(cfg) for _ in range(cfg.layers)])
        self.ln = nn.LayerNorm(cfg.d_model)
        self.head = nn.Linear(cfg.d_model, vocab, bias=False)
        nn.init.normal_(self.tok.weight, std=0.02)
        nn.init.normal_(self.pos.weight, std=0.02)
        self.head.weight = self.tok.weight

    def forward(self, ids):
        h = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        return self.head(self.ln(self.blocks(h)))


def pad(seqs):
    out = torch.full((len(seqs), max(map(len, seqs))), PAD)
    for i, s in enumerate(seqs):
        out[i, :len(s)] = torch.tensor(s)
    return out


def lm_loss(model, ids, reduction="mean"):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD, reduction=reduction)


@torch.no_grad()
def evaluate(model, seqs):
    model.eval()
    nats = count = 0
    for i in range(0, len(seqs), 200):
        ids = pad(seqs[i:i + 200])
        nats += lm_loss(model, ids, "sum").item()
        count += (ids[:, 1:] != PAD).sum().item()
    return nats / count


@torch.no_grad()
def sample(model, vocab, max_len):
    ids = torch.tensor([[BOS]])
    while ids.size(1) < max_len and ids[0, -1] != EOS:
        nxt = torch.multinomial(model(ids)[0, -1].softmax(-1), 1)
        ids = torch.cat([ids, nxt[None]], 1)
    return vocab.decode(ids[0].tolist())


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    lines = (Path(__file__).parent / cfg.file).read_text().splitlines()
    lines = list(dict.fromkeys(lines))
    vocab = Vocab(lines)
    seqs = [vocab.encode(s) for s in lines]
    order = torch.randperm(len(seqs)).tolist()
    val = [seqs[i] for i in order[:cfg.val_lines]]
    train = [seqs[i] for i in order[cfg.val_lines:]]
    max_len = max(map(len, seqs))

    model = CharLM(cfg, len(vocab), max_len)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    total = cfg.epochs * math.ceil(len(train) / cfg.batch)

    def factor(step):
        if step < cfg.warmup:
            return (step + 1) / cfg.warmup
        p = (step - cfg.warmup) / max(1, total - cfg.warmup)
        return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * p))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    print(f"{len(train)} train lines, {len(val)} val lines, {sum(p.numel() for p in model.parameters())} weights")

    for epoch in range(cfg.epochs):
        model.train()
        running = steps = 0
        for idx in torch.randperm(len(train)).split(cfg.batch):
            loss = lm_loss(model, pad([train[i] for i in idx.tolist()]))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            running += loss.item()
            steps += 1
        v = evaluate(model, val)
        print(f"epoch {epoch + 1}: train {running / steps:.4f} nats/char  val {v:.4f}  ppl {math.exp(v):.3f}")
    for _ in range(4):
        print("  >", sample(model, vocab, max_len))


if __name__ == "__main__":
    main()
