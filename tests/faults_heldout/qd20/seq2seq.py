import math
import random
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from vocab import BOS, EOS, PAD, Chars, pad


@dataclass
class Config:
    dim: int = 48
    heads: int = 4
    epochs: int = 12
    batch: int = 64
    warmup: int = 120
    lr: float = 4e-3
    smoothing: float = 0.1
    seed: int = 2


class Translator(nn.Module):
    def __init__(self, n_src, n_tgt, c):
        super().__init__()
        self.dim = c.dim
        self.src, self.tgt = nn.Embedding(n_src, c.dim, PAD), nn.Embedding(n_tgt, c.dim, PAD)
        for e in (self.src, self.tgt):
            nn.init.normal_(e.weight, std=c.dim ** -0.5)
            with torch.no_grad():
                e.weight[PAD].zero_()
        self.pos = nn.Parameter(torch.randn(32, c.dim) * 0.1)
        kw = dict(d_model=c.dim, nhead=c.heads, dim_feedforward=2 * c.dim, dropout=0.05, batch_first=True, norm_first=True)
        self.encoder = nn.ModuleList([nn.TransformerEncoderLayer(**kw)])
        self.decoder = nn.ModuleList([nn.TransformerDecoderLayer(**kw)])
        self.norm_e, self.norm_d = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.out = nn.Linear(c.dim, n_tgt)

    def embed(self, table, x):
        return table(x) * math.sqrt(self.dim) + self.pos[: x.shape[1]]

    def encode(self, x):
        hide = x == PAD
        h = self.embed(self.src, x)
        for layer in self.encoder:
            if self.training:  # memory is short on the target machine
                h = checkpoint(layer, h, None, hide, use_reentrant=False)
            else:
                h = layer(h, src_key_padding_mask=hide)
        return self.norm_e(h), hide

    def decode(self, y, memory, hide):
        causal = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).triu(1)
        h = self.embed(self.tgt, y)
        for layer in self.decoder:
            h = layer(h, memory, tgt_mask=causal, memory_key_padding_mask=hide)
        return self.out(self.norm_d(h))

    def forward(self, x, y):
        return self.decode(y, *self.encode(x))


def batches(pairs, size, shuffle):
    pairs = random.sample(pairs, len(pairs)) if shuffle else pairs
    for k in range(0, len(pairs), size):
        part = pairs[k:k + size]
        src = pad([p[0] for p in part])
        yield src, pad([[BOS] + p[1] for p in part]), pad([p[1] + [EOS] for p in part])


@torch.no_grad()
def exact(model, pairs, tgt):
    """Greedy decoding, the whole date has to be right."""
    model.eval()
    good = 0
    for src, _, want in batches(pairs, 250, False):
        memory, hide = model.encode(src)
        y = torch.full((len(src), 1), BOS)
        for _ in range(want.shape[1]):
            y = torch.cat([y, model.decode(y, memory, hide)[:, -1].argmax(-1, keepdim=True)], 1)
        good += sum(tgt.decode(a) == tgt.decode(b) for a, b in zip(y[:, 1:].tolist(), want.tolist()))
    return good / len(pairs)


def main(c=Config()):
    random.seed(c.seed)
    torch.manual_seed(c.seed)
    lines = [l.split("\t") for l in open("dates.tsv").read().splitlines()]
    src, tgt = Chars([l[0] for l in lines]), Chars([l[1] for l in lines])
    # every date belongs to one side only, in whatever way it is written
    days = sorted({l[1] for l in lines})
    random.shuffle(days)
    unseen = set(days[: len(days) // 7])
    train = [(src.encode(a), tgt.encode(b)) for a, b in lines if b not in unseen]
    test = [(src.encode(a), tgt.encode(b)) for a, b in lines if b in unseen]

    model = Translator(len(src), len(tgt), c)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=c.smoothing)
    opt = torch.optim.Adam(model.parameters(), lr=c.lr, betas=(0.9, 0.98), eps=1e-9)
    steps = c.epochs * math.ceil(len(train) / c.batch)
    ramp = lambda s: min((s + 1) / c.warmup, max(0.0, (steps - s) / (steps - c.warmup)))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, ramp)
    print(len(train), "pairs to learn from,", len(test), "with unseen dates")
    for epoch in range(c.epochs):
        model.train()
        total = n = 0
        for x, y_in, y_out in batches(train, c.batch, True):
            loss = criterion(model(x, y_in).flatten(0, 1), y_out.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total, n = total + loss.item(), n + 1
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1}: loss {total / n:.4f}  exact train {exact(model, train[:500], tgt):.3f}  test {exact(model, test, tgt):.3f}", flush=True)


if __name__ == "__main__":
    main()
