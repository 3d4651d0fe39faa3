import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

import vocab


class Sorter(nn.Module):
    def __init__(self, n_sym, length, d, heads, layers):
        super().__init__()
        self.emb = nn.Embedding(n_sym, d)
        self.pos = nn.Parameter(torch.randn(length, d) * 0.02)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d, heads, 4 * d, dropout=0.0, batch_first=True) for _ in range(layers))
        self.head = nn.Linear(d, n_sym)

    def forward(self, s):
        h = self.emb(s) + self.pos
        for b in self.blocks:
            h = b(h)
        return self.head(h)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="sorting.pt")
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--layers", type=int, default=9)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--updates", type=int, default=600)
    p.add_argument("--peak-lr", type=float, default=8e-3)
    p.add_argument("--warmup", type=int, default=120)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


@torch.no_grad()
def check(model, src, tgt):
    model.eval()
    out = model(src)
    tok = (out.argmax(-1) == tgt).float().mean().item()
    ce = F.cross_entropy(out.flatten(0, 1), tgt.flatten()).item()
    model.train()
    return ce, tok


def main():
    a = parse()
    torch.manual_seed(a.seed)
    src, tgt = vocab.load(a.data)
    n_dev = 400
    dsrc, dtgt, src, tgt = src[:n_dev], tgt[:n_dev], src[n_dev:], tgt[n_dev:]
    model = Sorter(vocab.N_SYM, src.shape[1], a.dim, a.heads, a.layers)
    opt = torch.optim.AdamW(model.parameters(), lr=a.peak_lr, betas=(0.9, 0.98), weight_decay=0.01)

    def factor(u):
        if u < a.warmup:
            return (u + 1) / a.warmup
        return 0.5 * (1 + math.cos(math.pi * (u - a.warmup) / max(1, a.updates - a.warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    u, run = 0, []
    while u < a.updates:
        perm = torch.randperm(len(src))
        for i in range(0, len(perm) - a.batch + 1, a.batch):
            j = perm[i:i + a.batch]
            out = model(src[j])
            loss = F.cross_entropy(out.flatten(0, 1), tgt[j].flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run.append(loss.item())
            u += 1
            if u % 50 == 0:
                ce, tok = check(model, dsrc, dtgt)
                print(f"update {u:5d}  loss {sum(run[-50:]) / 50:.4f}  dev {ce:.4f}  token acc {tok:.3f}  lr {sched.get_last_lr()[0]:.2e}")
            if u >= a.updates:
                break


main()
