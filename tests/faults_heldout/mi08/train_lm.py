import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d, heads, drop):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.drop = nn.Dropout(drop)
        self.heads = heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.proj(a.transpose(1, 2).reshape(b, t, d)))
        return x + self.drop(self.mlp(self.n2(x)))


class CharLM(nn.Module):
    def __init__(self, vocab, d=64, layers=2, heads=4, ctx=64, drop=0.0):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList(Block(d, heads, drop) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.apply(self._init)
        self.head.weight = self.tok.weight

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
            if getattr(m, "bias", None) is not None:
                nn.init.zeros_(m.bias)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x))


CTX, BATCH, STEPS, WARMUP, PEAK = 64, 16, 600, 50, 8e-3


def rate(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    p = (step - WARMUP) / (STEPS - WARMUP)
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * p))


def draw(ids, n):
    at = torch.randint(len(ids) - CTX, (n,))
    w = ids[at[:, None] + torch.arange(CTX + 1)]
    return w[:, :-1], w[:, 1:]


@torch.no_grad()
def held_out(model, ids):
    model.eval()
    n = (len(ids) - 1) // CTX
    x, y = ids[:n * CTX].view(n, CTX), ids[1:n * CTX + 1].view(n, CTX)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    model.train()
    return loss


def main():
    torch.manual_seed(8)
    text = open("logbook.txt").read()
    cut = int(len(text) * 0.92)
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    train, val = ids[:cut], ids[cut:]
    model = CharLM(len(chars), ctx=CTX)
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}], lr=PEAK, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
    for step in range(STEPS):
        x, y = draw(train, BATCH)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 50 == 49:
            print(f"step {step + 1} train {loss.item():.3f} val {held_out(model, val):.3f}")


if __name__ == "__main__":
    main()
