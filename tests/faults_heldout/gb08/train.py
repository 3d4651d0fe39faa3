"""Sort short symbol strings with a small encoder (predict the sorted sequence position by position)."""
import math
import time
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    vocab: int = 16
    length: int = 10
    d_model: int = 48
    heads: int = 4
    layers: int = 10
    ff: int = 96
    batch: int = 48
    steps: int = 400
    lr: float = 3e-3
    warmup_steps: int = 0
    clip: float = 1.0
    seed: int = 0


class Sorter(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.d_model)
        self.pos = nn.Parameter(torch.randn(c.length, c.d_model) * 0.02)
        layer = nn.TransformerEncoderLayer(c.d_model, c.heads, c.ff, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, c.layers)
        self.out = nn.Linear(c.d_model, c.vocab)
        for p in self.encoder.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, x):
        return self.out(self.encoder(self.tok(x) + self.pos))


def lr_factor(c):
    def f(step):
        if step < c.warmup_steps:
            return (step + 1) / c.warmup_steps
        t = (step - c.warmup_steps) / max(1, c.steps - c.warmup_steps)
        return 0.5 * (1 + math.cos(math.pi * min(1.0, t)))
    return f


def sample(c, n, gen):
    x = torch.randint(0, c.vocab, (n, c.length), generator=gen)
    return x, x.sort(dim=1).values


def main():
    c = Config()
    torch.manual_seed(c.seed)
    gen = torch.Generator().manual_seed(c.seed + 1)
    val_x, val_y = sample(c, 512, torch.Generator().manual_seed(1234))
    model = Sorter(c)
    opt = torch.optim.Adam(model.parameters(), lr=c.lr, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_factor(c))
    start, window = time.time(), []
    for step in range(1, c.steps + 1):
        x, y = sample(c, c.batch, gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), c.clip)
        opt.step()
        sched.step()
        window.append(loss.item())
        if step % 50 == 0:
            with torch.no_grad():
                acc = (model(val_x).argmax(-1) == val_y).float().mean().item()
            print(f"step {step} loss {sum(window) / len(window):.4f} val token acc {acc:.3f} "
                  f"lr {sched.get_last_lr()[0]:.2e} {time.time() - start:.1f}s")
            window.clear()


if __name__ == "__main__":
    main()
