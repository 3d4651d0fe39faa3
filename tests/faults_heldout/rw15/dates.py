"""Character transformer that rewrites dates as people type them into ISO form.

    python dates.py --table dates.tsv --updates 400

A step of the optimizer sees `--micro` x `--accumulate` pairs. Loss is the mean over the target
characters of the whole step, independent of how they fall into micro-batches.
"""
import argparse
import itertools
import math
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

PAD, BOS, EOS = 0, 1, 2
SPECIALS = ["<pad>", "<bos>", "<eos>"]


# ---------------------------------------------------------------- data


class Alphabet:
    def __init__(self, strings):
        chars = sorted(set(itertools.chain.from_iterable(strings)))
        self.itos = SPECIALS + chars
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s):
        return [self.stoi[c] for c in s if c in self.stoi] + [EOS]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            if i > EOS:
                out.append(self.itos[i])
        return "".join(out)


def read_pairs(path):
    with open(path, encoding="utf-8") as fh:
        return [tuple(line.rstrip("\n").split("\t")) for line in fh]


def padded(seqs):
    width = max(map(len, seqs))
    return torch.tensor([s + [PAD] * (width - len(s)) for s in seqs])


class PairSource:
    """Endless stream of shuffled micro-batches, reshuffled after each pass."""

    def __init__(self, pairs, src_abc, tgt_abc, size, rng):
        self.items = [(src_abc.encode(a), tgt_abc.encode(b)) for a, b in pairs]
        self.size = size
        self.rng = rng
        self.passes = 0

    def __iter__(self):
        while True:
            order = list(range(len(self.items)))
            self.rng.shuffle(order)
            for k in range(0, len(order) - self.size + 1, self.size):
                yield make_batch([self.items[i] for i in order[k:k + self.size]])
            self.passes += 1


def make_batch(items):
    src = padded([a for a, _ in items])
    tgt = padded([[BOS] + b for _, b in items])
    return src, tgt[:, :-1], tgt[:, 1:]


# ---------------------------------------------------------------- model


class SinePositions(nn.Module):
    def __init__(self, dim, longest=64):
        super().__init__()
        pos = torch.arange(longest)[:, None]
        freq = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(longest, dim)
        table[:, 0::2] = torch.sin(pos * freq)
        table[:, 1::2] = torch.cos(pos * freq)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.size(1)]


class MultiHead(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim)
        self.kv = nn.Linear(dim, 2 * dim)
        self.o = nn.Linear(dim, dim)

    def _split(self, t):
        b, n, d = t.shape
        return t.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, memory, mask=None, causal=False):
        q = self._split(self.q(x))
        k, v = map(self._split, self.kv(memory).chunk(2, dim=-1))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return self.o(out.transpose(1, 2).flatten(2))


class FeedForward(nn.Sequential):
    def __init__(self, dim, dropout):
        super().__init__(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(4 * dim, dim))


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn, self.ff = MultiHead(dim, heads), FeedForward(dim, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask):
        h = self.n1(x)
        x = x + self.drop(self.attn(h, h, mask=mask))
        return x + self.drop(self.ff(self.n2(x)))


class DecoderLayer(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.n1, self.n2, self.n3 = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.own, self.cross = MultiHead(dim, heads), MultiHead(dim, heads)
        self.ff = FeedForward(dim, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, y, memory, mask):
        h = self.n1(y)
        y = y + self.drop(self.own(h, h, causal=True))  # right padding is never ahead of a real query
        y = y + self.drop(self.cross(self.n2(y), memory, mask=mask))
        return y + self.drop(self.ff(self.n3(y)))


class Rewriter(nn.Module):
    def __init__(self, n_src, n_tgt, dim, heads, depth, dropout):
        super().__init__()
        self.scale = math.sqrt(dim)
        self.src = nn.Embedding(n_src, dim, padding_idx=PAD)
        self.tgt = nn.Embedding(n_tgt, dim, padding_idx=PAD)
        self.positions = SinePositions(dim)
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.ModuleList(EncoderLayer(dim, heads, dropout) for _ in range(depth))
        self.decoder = nn.ModuleList(DecoderLayer(dim, heads, dropout) for _ in range(depth))
        self.enc_norm, self.dec_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_tgt, bias=False)
        self.out.weight = self.tgt.weight
        for emb in (self.src, self.tgt):
            nn.init.normal_(emb.weight, std=dim ** -0.5)
            with torch.no_grad():
                emb.weight[PAD].zero_()

    def encode(self, src):
        mask = (src != PAD)[:, None, None, :]
        x = self.drop(self.positions(self.src(src) * self.scale))
        for layer in self.encoder:
            x = layer(x, mask)
        return self.enc_norm(x), mask

    def decode(self, tgt_in, memory, mask):
        y = self.drop(self.positions(self.tgt(tgt_in) * self.scale))
        for layer in self.decoder:
            y = layer(y, memory, mask)
        return self.out(self.dec_norm(y))

    def forward(self, src, tgt_in):
        return self.decode(tgt_in, *self.encode(src))

    @torch.no_grad()
    def rewrite(self, src, longest=12):
        memory, mask = self.encode(src)
        y = torch.full((len(src), 1), BOS)
        for _ in range(longest):
            nxt = self.decode(y, memory, mask)[:, -1].argmax(-1, keepdim=True)
            y = torch.cat([y, nxt], 1)
        return y[:, 1:]


# ---------------------------------------------------------------- training


def rate(update, warmup, total):
    if update < warmup:
        return (update + 1) / warmup
    return max(0.03, 0.5 * (1 + math.cos(math.pi * (update - warmup) / (total - warmup))))


def char_loss(logits, target, smoothing=0.0):
    """Sum over real characters."""
    return F.cross_entropy(logits.flatten(0, 1).float(), target.flatten(), ignore_index=PAD,
                           label_smoothing=smoothing, reduction="sum")


@torch.no_grad()
def evaluate(model, pairs, src_abc, tgt_abc, size=200):
    model.eval()
    total, chars, exact = 0.0, 0, 0
    for k in range(0, len(pairs), size):
        part = pairs[k:k + size]
        src, tgt_in, target = make_batch([(src_abc.encode(a), tgt_abc.encode(b)) for a, b in part])
        total += char_loss(model(src, tgt_in), target).item()
        chars += (target != PAD).sum().item()
        made = model.rewrite(src)
        exact += sum(tgt_abc.decode(row) == b for row, (_, b) in zip(made.tolist(), part))
    model.train()
    return total / chars, exact / len(pairs)


def update(model, optimizer, source, args):
    parts = [next(source) for _ in range(args.accumulate)]
    chars = sum((target != PAD).sum().item() for _, _, target in parts)
    optimizer.zero_grad()
    total = 0.0
    for src, tgt_in, target in parts:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.bf16):
            logits = model(src, tgt_in)
        loss = char_loss(logits, target, args.smoothing) / chars
        loss.backward()
        total += loss.item()
    norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    optimizer.step()
    return total, norm.item()


def parse_args():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--table", default="dates.tsv")
    p.add_argument("--held-out", type=int, default=300)
    p.add_argument("--updates", type=int, default=400)
    p.add_argument("--micro", type=int, default=32)
    p.add_argument("--accumulate", type=int, default=2)
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--depth", type=int, default=1)
    p.add_argument("--dropout", type=float, default=0.0)
    p.add_argument("--smoothing", type=float, default=0.02)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--warmup", type=int, default=40)
    p.add_argument("--clip", type=float, default=1.0)
    p.add_argument("--bf16", action="store_true")
    p.add_argument("--every", type=int, default=80)
    p.add_argument("--seed", type=int, default=314)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    pairs = read_pairs(args.table)
    rng.shuffle(pairs)
    held, train = pairs[: args.held_out], pairs[args.held_out:]
    src_abc, tgt_abc = Alphabet(a for a, _ in train), Alphabet(b for _, b in train)

    model = Rewriter(len(src_abc), len(tgt_abc), args.dim, args.heads, args.depth, args.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.98), weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda u: rate(u, args.warmup, args.updates))
    stream = PairSource(train, src_abc, tgt_abc, args.micro, rng)
    source = iter(stream)
    print(f"{len(train)} pairs, {sum(p.numel() for p in model.parameters())} weights")

    recent, began = [], time.time()
    for u in range(1, args.updates + 1):
        loss, norm = update(model, optimizer, source, args)
        scheduler.step()
        recent.append(loss)
        if u % args.every == 0:
            held_loss, exact = evaluate(model, held, src_abc, tgt_abc)
            print(f"update {u:4d} pass {stream.passes:2d} | loss {sum(recent) / len(recent):.4f} | grad {norm:.2f} | "
                  f"held-out {held_loss:.4f} exact {exact:.3f} | {time.time() - began:.1f}s")
            recent.clear()

    model.eval()
    for a, b in held[:5]:
        made = tgt_abc.decode(model.rewrite(torch.tensor([src_abc.encode(a)]))[0].tolist())
        print(f"{a!r:26} -> {made} ({b})")


if __name__ == "__main__":
    main()
