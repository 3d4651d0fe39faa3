import math
from dataclasses import dataclass
import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Cfg:
    vocab: int = 22          # 21 pitches + start
    d: int = 48
    heads: int = 4
    layers: int = 2
    ctx: int = 48
    drop: float = 0.1
    batch: int = 32
    steps: int = 700
    lr: float = 2e-3


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.n1, self.n2 = nn.LayerNorm(c.d), nn.LayerNorm(c.d)
        self.qkv = nn.Linear(c.d, 3 * c.d)
        self.o = nn.Linear(c.d, c.d)
        self.mlp = nn.Sequential(nn.Linear(c.d, 4 * c.d), nn.GELU(), nn.Linear(4 * c.d, c.d))
        self.drop = nn.Dropout(c.drop)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.o(a.transpose(1, 2).reshape(B, T, D)))
        return x + self.drop(self.mlp(self.n2(x)))


class TuneLM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.d)
        self.pos = nn.Embedding(c.ctx, c.d)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = nn.LayerNorm(c.d)
        self.head = nn.Linear(c.d, c.vocab, bias=False)
        for p in (self.tok, self.pos):
            nn.init.normal_(p.weight, std=0.02)
        self.head.weight = self.tok.weight

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


def read_tunes(c, path="tunes.txt"):
    rows = [[int(v) for v in line.split()] for line in open(path)]
    seq = torch.tensor(rows)
    start = torch.full((len(seq), 1), c.vocab - 1)
    return torch.cat([start, seq], 1)


def nll(model, batch):
    logits = model(batch[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())


@torch.no_grad()
def valid(model, data):
    model.eval()
    loss = nll(model, data).item()
    # what the last note would be, from the notes before it
    guess = model(data[:, :-1])[:, -1].argmax(-1)
    model.train()
    return loss, (guess == data[:, -1]).float().mean().item()


if __name__ == "__main__":
    cfg = Cfg()
    torch.manual_seed(1)
    data = read_tunes(cfg)
    train, val = data[:1200], data[1200:]
    model = TuneLM(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98), weight_decay=0.02)
    warm = 60
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min((s + 1) / warm, 0.1 + 0.45 * (1 + math.cos(math.pi * min(1, s / cfg.steps)))))
    for step in range(cfg.steps):
        loss = nll(model, train[torch.randint(len(train), (cfg.batch,))])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 100 == 99:
            vl, acc = valid(model, val)
            print(f"step {step + 1}: train {loss.item():.3f} val {vl:.3f} last-note acc {acc:.3f}")
