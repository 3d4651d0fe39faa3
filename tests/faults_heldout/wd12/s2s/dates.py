"""Human-written dates -> ISO 8601."""
import datetime
import random

import torch

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
          "September", "October", "November", "December"]
FORMATS = [
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{d.day}. {MONTHS[d.month - 1][:3]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day} {d.year}",
    lambda d: f"{d.day:02d}.{d.month:02d}.{d.year}",
    lambda d: f"{d.day}/{d.month}/{d.year}",
]
PAD, BOS, EOS = 0, 1, 2
CHARS = sorted(set("".join(MONTHS) + "0123456789 .,/-"))
STOI = {c: i + 3 for i, c in enumerate(CHARS)}
ITOS = {i: c for c, i in STOI.items()}
N_VOCAB = len(CHARS) + 3


def make_pairs(n, rng, taken=()):
    first = datetime.date(1960, 1, 1).toordinal()
    last = datetime.date(2040, 12, 31).toordinal()
    seen, out = set(taken), []
    while len(out) < n:
        d = datetime.date.fromordinal(rng.randint(first, last))
        src = rng.choice(FORMATS)(d)
        if src not in seen:
            seen.add(src)
            out.append((src, d.isoformat()))
    return out


def encode(texts, bos=False):
    rows = [([BOS] if bos else []) + [STOI[c] for c in t] + [EOS] for t in texts]
    width = max(map(len, rows))
    return torch.tensor([r + [PAD] * (width - len(r)) for r in rows])


def decode(row):
    out = []
    for i in row:
        if i == EOS:
            break
        out.append(ITOS.get(i, "?"))
    return "".join(out)


def splits(n_train, n_valid, seed):
    rng = random.Random(seed)
    train = make_pairs(n_train, rng)
    valid = make_pairs(n_valid, rng, taken=[s for s, _ in train])
    return train, valid
