"""Character language model on a small documentation corpus. Settings in lm.toml."""
import math
import tomllib
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

here = Path(__file__).resolve().parent
with open(here / "lm.toml", "rb") as fh:
    CFG = tomllib.load(fh)

text = (here / "corpus.txt").read_text(encoding="utf-8")
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
split = int(0.9 * len(ids))
train_ids, held_out = ids[:split], ids[split:]


class Block(nn.Module):
    def __init__(self, d, heads, dropout):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.proj = nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.Dropout(dropout))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2)
                   for z in self.qkv(self.ln1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.ln2(x))


class CharLM(nn.Module):
    def __init__(self, vocab, d, heads, layers, context, dropout):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(0.1 * torch.randn(context, d))
        self.blocks = nn.Sequential(*(Block(d, heads, dropout) for _ in range(layers)))
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, vocab, bias=False)

    def forward(self, idx):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        return self.out(self.norm(self.blocks(x)))


def lr_at(step):
    o = CFG["optim"]
    if step < o["warmup"]:
        return (step + 1) / o["warmup"]
    progress = (step - o["warmup"]) / max(1, o["steps"] - o["warmup"])
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


def sample_batch(source, batch, context, gen):
    start = torch.randint(len(source) - context - 1, (batch,), generator=gen)
    window = source[start[:, None] + torch.arange(context + 1)]
    return window[:, :-1], window[:, 1:]


@torch.no_grad()
def held_out_bpc(model, context):
    model.eval()
    n = (len(held_out) - 1) // context
    x = held_out[: n * context].view(n, context)
    y = held_out[1: n * context + 1].view(n, context)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return loss.item() / math.log(2)


def main():
    torch.manual_seed(CFG["run"]["seed"])
    gen = torch.Generator().manual_seed(CFG["run"]["seed"])
    m, o = CFG["model"], CFG["optim"]
    model = CharLM(len(chars), m["dim"], m["heads"], m["layers"], m["context"], m["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=o["lr"], betas=(0.9, 0.98), weight_decay=0.05)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_at)
    for step in range(o["steps"]):
        x, y = sample_batch(train_ids, o["batch"], m["context"], gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if (step + 1) % CFG["run"]["log_every"] == 0:
            print(f"step {step + 1:4d}  train loss {loss.item():.3f}  held-out bpc {held_out_bpc(model, m['context']):.3f}")


if __name__ == "__main__":
    main()
