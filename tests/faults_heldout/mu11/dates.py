import datetime
import random

import torch

PAD, BOS, EOS = 0, 1, 2
CHARS = "0123456789abcdefghijklmnopqrstuvwxyz ,-./"
STOI = {c: i + 3 for i, c in enumerate(CHARS)}
ITOS = {i: c for c, i in STOI.items()}
VOCAB = len(CHARS) + 3
FORMATS = ["%d %b %Y", "%b %d, %Y", "%d/%m/%Y", "%d.%m.%Y", "%A %d %B %Y"]


def make_pairs(n, seed):
    rng = random.Random(seed)
    start = datetime.date(1960, 1, 1)
    pairs = []
    for _ in range(n):
        d = start + datetime.timedelta(days=rng.randrange(365 * 65))
        pairs.append((d.strftime(rng.choice(FORMATS)).lower(), d.isoformat()))
    return pairs


def encode(text):
    return [STOI[c] for c in text]


def decode(ids):
    out = []
    for i in ids:
        if i == EOS:
            break
        out.append(ITOS.get(i, "?"))
    return "".join(out)


def collate(batch):
    def pad(rows):
        n = max(map(len, rows))
        return torch.tensor([r + [PAD] * (n - len(r)) for r in rows])

    src = pad([encode(a) + [EOS] for a, _ in batch])
    tgt = pad([[BOS] + encode(b) + [EOS] for _, b in batch])
    return src, tgt
