import math
import time
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    context: int = 32
    dim: int = 64
    heads: int = 4
    layers: int = 2
    batch_size: int = 32
    base_lr: float = 3e-3
    steps: int = 300
    clip: float = 1.0
    weight_decay: float = 0.01
    log_every: int = 30


def scaled_lr(cfg):
    """Linear scaling: the step size follows the batch size."""
    return cfg.base_lr * cfg.batch_size


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c.heads
        self.n1, self.n2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.qkv = nn.Linear(c.dim, 3 * c.dim, bias=False)
        self.proj = nn.Linear(c.dim, c.dim, bias=False)
        self.mlp = nn.Sequential(nn.Linear(c.dim, 4 * c.dim), nn.GELU(), nn.Linear(4 * c.dim, c.dim))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.n2(x))


class CharLM(nn.Module):
    def __init__(self, vocab, c):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, c.dim), nn.Embedding(c.context, c.dim)
        self.blocks = nn.Sequential(*(Block(c) for _ in range(c.layers)))
        self.norm, self.head = nn.LayerNorm(c.dim), nn.Linear(c.dim, vocab)
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Embedding)):
                nn.init.normal_(m.weight, std=0.02)

    def forward(self, x):
        h = self.tok(x) + self.pos.weight[: x.size(1)]
        return self.head(self.norm(self.blocks(h)))


def windows(data, cfg, gen):
    i = torch.randint(len(data) - cfg.context - 1, (cfg.batch_size,), generator=gen)
    chunk = data[i[:, None] + torch.arange(cfg.context + 1)]
    return chunk[:, :-1], chunk[:, 1:]


def main():
    cfg = Config()
    torch.manual_seed(1337)
    text = Path(__file__).with_name("corpus.txt").read_text()
    chars = sorted(set(text))
    data = torch.tensor([chars.index(c) for c in text])
    cut = int(0.9 * len(data))
    train, valid = data[:cut], data[cut:]
    model = CharLM(len(chars), cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=scaled_lr(cfg), betas=(0.9, 0.95), weight_decay=cfg.weight_decay)
    decay = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min(1.0, (s + 1) / 30) * (0.1 + 0.45 * (1 + math.cos(math.pi * s / cfg.steps))))
    gen, t0 = torch.Generator().manual_seed(0), time.time()
    for step in range(cfg.steps):
        x, y = windows(train, cfg, gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        opt.step()
        decay.step()
        if step % cfg.log_every == 0 or step == cfg.steps - 1:
            model.eval()
            with torch.no_grad():
                vg = torch.Generator().manual_seed(7)
                v = sum(F.cross_entropy(model(a).flatten(0, 1), b.flatten()).item()
                        for a, b in (windows(valid, cfg, vg) for _ in range(4))) / 4
            model.train()
            print(f"step {step:4d} train {loss.item():.3f} valid {v:.3f} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
