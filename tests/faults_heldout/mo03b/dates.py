import datetime as dt
import random

MONTHS = ["january", "february", "march", "april", "may", "june", "july",
          "august", "september", "october", "november", "december"]
PAD, BOS = 0, 1
CHARS = " ,./-0123456789abcdefghijklmnopqrstuvwxyz"
TO_ID = {c: i + 2 for i, c in enumerate(CHARS)}
VOCAB = len(CHARS) + 2
IN_LEN, OUT_LEN = 20, 10


def render(d, rng):
    m, k = MONTHS[d.month - 1], rng.randrange(5)
    if k == 0:
        return f"{d.day} {m} {d.year}"
    if k == 1:
        return f"{m[:3]} {d.day}, {d.year}"
    if k == 2:
        return f"{d.day:02d}.{d.month:02d}.{d.year}"
    if k == 3:
        return f"{d.day}-{m[:3]}-{d.year}"
    return f"{m} {d.day:02d}, {d.year}"


def encode(text, length):
    ids = [TO_ID[c] for c in text]
    return ids + [PAD] * (length - len(ids))


def make(n, seed):
    rng = random.Random(seed)
    src, tgt = [], []
    start = dt.date(1960, 1, 1).toordinal()
    for _ in range(n):
        d = dt.date.fromordinal(start + rng.randrange(70 * 365))
        src.append(encode(render(d, rng), IN_LEN))
        tgt.append(encode(d.isoformat(), OUT_LEN))
    return src, tgt
