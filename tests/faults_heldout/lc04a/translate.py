"""Sequence model that normalises free-form dates ('3 mar 1998', '3/12/1998', ...) to the form 19980312."""
import argparse
import math
import random

import torch
from torch import nn
import torch.nn.functional as F

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def make_pair(rng):
    y, m, d = rng.randint(1950, 2019), rng.randint(1, 12), rng.randint(1, 28)
    name = MONTHS[m - 1]
    styles = [f"{d} {name} {y}", f"{name} {d}, {y}", f"{d}.{m}.{y}", f"{y} {name} {d}", f"{m}/{d}/{y}"]
    return rng.choice(styles), f"{y}{m:02d}{d:02d}"


CHARS = ["<pad>"] + sorted(set("abcdefghijklmnopqrstuvwxyz0123456789 ,./"))
IDX = {c: i for i, c in enumerate(CHARS)}
SRC_LEN, OUT_LEN = 12, 8


def tensorise(pairs):
    src = torch.zeros(len(pairs), SRC_LEN, dtype=torch.long)
    tgt = torch.zeros(len(pairs), OUT_LEN, dtype=torch.long)
    for i, (a, b) in enumerate(pairs):
        src[i, :len(a)] = torch.tensor([IDX[c] for c in a])
        tgt[i] = torch.tensor([IDX[c] for c in b])
    return src, tgt


class DateNormaliser(nn.Module):
    def __init__(self, d, heads, layers, ff):
        super().__init__()
        self.tok = nn.Embedding(len(CHARS), d, padding_idx=0)
        self.pos = nn.Parameter(torch.randn(SRC_LEN + OUT_LEN, d) * 0.1)
        self.query = nn.Parameter(torch.randn(OUT_LEN, d) * 0.1)
        layer = nn.TransformerEncoderLayer(d, heads, ff, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        for p in self.body.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        self.head = nn.Linear(d, len(CHARS))
        self.scale = math.sqrt(d)

    def forward(self, src):
        x = torch.cat([self.tok(src), self.query.expand(len(src), -1, -1)], 1) + self.pos
        pad = torch.cat([src == 0, torch.zeros(len(src), OUT_LEN, dtype=torch.bool)], 1)
        return self.head(self.body(x, src_key_padding_mask=pad)[:, -OUT_LEN:])


def lr_factor(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=700)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--warmup", type=int, default=200)
    ap.add_argument("--d-model", type=int, default=48)
    ap.add_argument("--layers", type=int, default=8)
    ap.add_argument("--heads", type=int, default=4)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    pairs = sorted({make_pair(rng) for _ in range(12000)})
    rng.shuffle(pairs)
    test_src, test_tgt = tensorise(pairs[:400])
    src, tgt = tensorise(pairs[400:])

    net = DateNormaliser(args.d_model, args.heads, args.layers, 2 * args.d_model)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, betas=(0.9, 0.98), eps=1e-9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_factor(s, args.warmup, args.steps))

    window = []
    for step in range(1, args.steps + 1):
        pick = torch.randint(len(src), (args.batch,))
        loss = F.cross_entropy(net(src[pick]).transpose(1, 2), tgt[pick])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        window.append(loss.item())
        if step % 100 == 0:
            net.eval()
            with torch.no_grad():
                pred = net(test_src)
                vl = F.cross_entropy(pred.transpose(1, 2), test_tgt).item()
                hit = pred.argmax(-1) == test_tgt
            net.train()
            print(f"step {step:5d}  loss {sum(window) / len(window):.3f}  test loss {vl:.3f}  "
                  f"char acc {hit.float().mean():.3f}  exact {hit.all(1).float().mean():.3f}", flush=True)
            window = []


if __name__ == "__main__":
    main()
