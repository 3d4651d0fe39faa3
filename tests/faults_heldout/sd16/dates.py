import random

import torch

MONTHS = ["january", "february", "march", "april", "may", "june", "july",
          "august", "september", "october", "november", "december"]
PAD, BOS, EOS = 0, 1, 2
CHARS = "abcdefghijklmnopqrstuvwxyz0123456789 .,/-"
STOI = {c: i + 3 for i, c in enumerate(CHARS)}
VOCAB = len(CHARS) + 3


def sample_pair(rng):
    y, m, d = rng.randint(1950, 2035), rng.randint(1, 12), rng.randint(1, 28)
    name = MONTHS[m - 1]
    style = rng.randrange(5)
    if style == 0:
        src = f"{d} {name} {y}"
    elif style == 1:
        src = f"{name[:3]} {d}, {y}"
    elif style == 2:
        src = f"{d:02d}.{m:02d}.{y}"
    elif style == 3:
        src = f"{m}/{d}/{y}"
    else:
        src = f"{name} {d}, {y}"
    return src, f"{y}-{m:02d}-{d:02d}"


def encode(text):
    return [STOI[c] for c in text]


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([r + [PAD] * (width - len(r)) for r in rows])


def make_split(n, seed, exclude=()):
    rng = random.Random(seed)
    pairs, seen = [], set(exclude)
    while len(pairs) < n:
        pair = sample_pair(rng)
        if pair[0] not in seen:
            seen.add(pair[0])
            pairs.append(pair)
    return pairs


def collate(pairs):
    src = pad([encode(s) for s, _ in pairs])
    tgt = pad([[BOS] + encode(t) + [EOS] for _, t in pairs])
    return src, tgt[:, :-1], tgt[:, 1:]
