"""Small character-level GPT: tied embeddings, OneCycle, label smoothing, activation checkpointing, bf16 autocast."""
import argparse
import math
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class GPT(nn.Module):
    def __init__(self, vocab, ctx, d=48, h=4, layers=2):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.tok.weight
        for n, p in self.named_parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02 if "proj" not in n else 0.02 / math.sqrt(2 * layers))

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False) if self.training else b(x)
        return self.head(self.norm(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ctx", type=int, default=48)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--steps", type=int, default=480)
    p.add_argument("--max-lr", type=float, default=8e-3)
    p.add_argument("--smoothing", type=float, default=0.05)
    a = p.parse_args()
    torch.manual_seed(40)
    text = Path(__file__).with_name("tales.txt").read_text()
    chars = sorted(set(text))
    data = torch.tensor([chars.index(c) for c in text])
    cut = int(0.9 * len(data))
    train, val = data[:cut], data[cut:]
    model = GPT(len(chars), a.ctx)
    opt = torch.optim.AdamW(model.parameters(), lr=a.max_lr, betas=(0.9, 0.95), weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.max_lr, total_steps=a.steps, pct_start=0.2)
    windows = val[: (len(val) - 1) // a.ctx * a.ctx + 1]
    vx, vy = windows[:-1].view(-1, a.ctx)[:120], windows[1:].view(-1, a.ctx)[:120]
    counts = torch.bincount(train, minlength=len(chars)).float()
    print(f"{len(chars)} characters, unigram nll {-(counts / counts.sum()).log()[vy].mean():.4f}")
    run = 0.0
    for step in range(1, a.steps + 1):
        model.train()
        s = torch.randint(len(train) - a.ctx - 1, (a.batch,))
        x = torch.stack([train[i:i + a.ctx] for i in s])
        y = torch.stack([train[i + 1:i + a.ctx + 1] for i in s])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(x)
        loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten(), label_smoothing=a.smoothing)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        run += loss.item()
        if step % 60 == 0:
            model.eval()
            with torch.no_grad():
                nll = F.cross_entropy(model(vx).flatten(0, 1), vy.flatten()).item()
            print(f"step {step} lr {sched.get_last_lr()[0]:.2e} smoothed loss {run/60:.4f} val nll {nll:.4f}", flush=True)
            run = 0.0


if __name__ == "__main__":
    main()
