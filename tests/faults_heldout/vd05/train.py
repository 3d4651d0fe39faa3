import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    corpus: str = "corpus.txt"
    context: int = 48
    dim: int = 64
    heads: int = 4
    blocks: int = 2
    dropout: float = 0.05
    batch: int = 16
    steps: int = 560
    warmup: int = 40
    lr: float = 5e-3
    min_lr: float = 2e-4
    weight_decay: float = 0.05
    eval_every: int = 70
    seed: int = 1337


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.qkv = nn.Linear(c.dim, 3 * c.dim, bias=False)
        self.proj = nn.Linear(c.dim, c.dim, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.attn = Attention(c)
        self.mlp = nn.Sequential(nn.Linear(c.dim, 4 * c.dim), nn.GELU(), nn.Linear(4 * c.dim, c.dim))
        self.drop = nn.Dropout(c.dropout)

    def forward(self, x):
        x = x + self.drop(self.attn(self.n1(x)))
        return x + self.drop(self.mlp(self.n2(x)))


class CharLM(nn.Module):
    def __init__(self, vocab, c):
        super().__init__()
        self.c = c
        self.tok = nn.Embedding(vocab, c.dim)
        self.pos = nn.Embedding(c.context, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.blocks))
        self.norm = nn.LayerNorm(c.dim)
        self.head = nn.Linear(c.dim, vocab, bias=False)
        self.apply(self._init)
        self.head.weight = self.tok.weight

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
            if getattr(m, "bias", None) is not None:
                nn.init.zeros_(m.bias)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1), device=idx.device))
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))

    @torch.no_grad()
    def generate(self, idx, n, temperature=0.8):
        for _ in range(n):
            logits = self(idx[:, -self.c.context:])[:, -1] / temperature
            idx = torch.cat([idx, torch.multinomial(logits.softmax(-1), 1)], 1)
        return idx


def get_batch(data, c):
    s = torch.randint(len(data) - c.context - 1, (c.batch,)).tolist()
    x = torch.stack([data[i:i + c.context] for i in s])
    y = torch.stack([data[i + 1:i + c.context + 1] for i in s])
    return x, y


def lr_at(step, c):
    if step < c.warmup:
        return c.lr * (step + 1) / c.warmup
    r = (step - c.warmup) / (c.steps - c.warmup)
    return c.min_lr + 0.5 * (c.lr - c.min_lr) * (1 + math.cos(math.pi * r))


@torch.no_grad()
def evaluate(model, data, c):
    model.eval()
    n = (len(data) - 1) // c.context
    x = data[:n * c.context].view(n, c.context)
    y = data[1:n * c.context + 1].view(n, c.context)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    model.train()
    return loss


def main():
    c = Config()
    torch.manual_seed(c.seed)
    text = (Path(__file__).parent / c.corpus).read_text()
    chars = sorted(set(text))
    stoi = {ch: i for i, ch in enumerate(chars)}
    data = torch.tensor([stoi[ch] for ch in text])
    cut = int(0.9 * len(data))
    train, val = data[:cut], data[cut:]
    model = CharLM(len(chars), c)
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW(
        [{"params": decay, "weight_decay": c.weight_decay}, {"params": rest, "weight_decay": 0.0}],
        lr=c.lr, betas=(0.9, 0.98))

    for step in range(c.steps):
        for g in opt.param_groups:
            g["lr"] = lr_at(step, c)
        x, y = get_batch(train, c)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if (step + 1) % c.eval_every == 0 or step == 0:
            print(json.dumps({"step": step + 1, "train": round(loss.item(), 4), "grad_norm": round(norm.item(), 3),
                              "val": round(evaluate(model, val, c), 4)}))

    model.eval()
    out = model.generate(torch.tensor([[stoi["\n"]]]), 160)[0].tolist()
    print("".join(chars[i] for i in out))


if __name__ == "__main__":
    main()
