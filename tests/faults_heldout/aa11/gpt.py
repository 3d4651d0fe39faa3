"""A small GPT on licence texts (characters)."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    block: int = 48
    layers: int = 2
    heads: int = 4
    dim: int = 64
    dropout: float = 0.0


@dataclass
class TrainConfig:
    steps: int = 260
    batch: int = 16
    lr: float = 3e-3
    min_lr: float = 3e-4
    warmup: int = 20
    betas: tuple = (0.9, 0.95)
    weight_decay: float = 0.1
    clip: float = 1.0
    seed: int = 42


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c.heads
        self.ln1, self.ln2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.qkv = nn.Linear(c.dim, 3 * c.dim)
        self.proj = nn.Linear(c.dim, c.dim)
        self.mlp = nn.Sequential(nn.Linear(c.dim, 4 * c.dim), nn.GELU(), nn.Linear(4 * c.dim, c.dim))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(B, T, 3, self.heads, D // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(B, T, D))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, vocab, c):
        super().__init__()
        self.block = c.block
        self.wte = nn.Embedding(vocab, c.dim)
        self.wpe = nn.Embedding(c.block, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.ln = nn.LayerNorm(c.dim)
        self.head = nn.Linear(c.dim, vocab, bias=False)
        self.head.weight = self.wte.weight
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
        if isinstance(m, nn.Linear) and m.bias is not None:
            nn.init.zeros_(m.bias)

    def forward(self, idx, targets=None):
        h = self.wte(idx) + self.wpe.weight[: idx.size(1)]
        for b in self.blocks:
            h = b(h)
        logits = self.head(self.ln(h))
        loss = None if targets is None else F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss

    def make_optimizer(self, tc):
        params = {n: p for n, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in params.values() if p.dim() >= 2]},
            {"params": [p for p in params.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, tc.lr, tc.betas, tc.weight_decay)


def lr_at(step, tc):
    if step < tc.warmup:
        return tc.lr * (step + 1) / tc.warmup
    t = (step - tc.warmup) / (tc.steps - tc.warmup)
    return tc.min_lr + 0.5 * (tc.lr - tc.min_lr) * (1 + math.cos(math.pi * t))


def main():
    c, tc = GPTConfig(), TrainConfig()
    torch.manual_seed(tc.seed)
    text = open("licences.txt").read()
    stoi = {ch: i for i, ch in enumerate(sorted(set(text)))}
    data = torch.tensor([stoi[ch] for ch in text])
    cut = int(0.9 * len(data))
    splits = {"train": data[:cut], "val": data[cut:]}

    def batch(name, n=tc.batch):
        d = splits[name]
        ix = torch.randint(len(d) - c.block - 1, (n,))
        w = torch.stack([d[i : i + c.block + 1] for i in ix])
        return w[:, :-1], w[:, 1:]

    model = GPT(len(stoi), c)
    opt = model.make_optimizer(tc)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e3:.0f}k parameters, {len(stoi)} symbols")
    for step in range(tc.steps):
        for g in opt.param_groups:
            g["lr"] = lr_at(step, tc)
        _, loss = model(*batch("train"))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), tc.clip)
        opt.step()
        if (step + 1) % 20 == 0:
            model.eval()
            with torch.no_grad():
                val = model(*batch("val", 64))[1].item()
            model.train()
            print(f"step {step + 1:4d} train {loss.item():.3f} val {val:.3f}")


if __name__ == "__main__":
    main()
