import datetime as dt
import random

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august",
          "september", "october", "november", "december"]
PAD, BOS, EOS = 0, 1, 2
ALPHABET = {c: i + 3 for i, c in enumerate("0123456789abcdefghijklmnopqrstuvwxyz -,./")}
CHARS = {v: k for k, v in ALPHABET.items()}


def spell(d, rng):
    m = MONTHS[d.month - 1]
    style = rng.randrange(6)
    if style == 0:
        return f"{d.day} {m} {d.year}"
    if style == 1:
        return f"{m[:3]} {d.day}, {d.year}"
    if style == 2:
        return f"{d.day:02d}.{d.month:02d}.{d.year}"
    if style == 3:
        return f"{m} {d.day} {d.year}"
    if style == 4:
        return f"{d.day}-{m[:3]}-{d.year % 100:02d}"
    return f"{d.day}/{d.month}/{d.year}"


def corpus(n, seed):
    """n different days between 1950 and 2049, each spelled once; the target is YYMMDD."""
    rng = random.Random(seed)
    start = dt.date(1950, 1, 1).toordinal()
    days = rng.sample(range(start, start + 36500), n)
    out = []
    for o in days:
        d = dt.date.fromordinal(o)
        out.append((spell(d, rng), d.strftime("%y%m%d")))
    return out


def encode(s):
    return [ALPHABET[c] for c in s]
