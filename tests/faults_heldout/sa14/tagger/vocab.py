"""Synthetic receipts: a line of text with one amount and one date written in mixed formats."""
import random

PAD = 0
TAGS = ["O", "AMOUNT", "DATE"]
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
ITEMS = ["coffee", "taxi", "hotel", "lunch", "train", "parking", "books", "fuel", "toner", "room", "desk"]
CHARS = "abcdefghijklmnopqrstuvwxyz0123456789 .,:/-#$"
CHAR_TO_ID = {c: i + 1 for i, c in enumerate(CHARS)}


def _amount(r):
    value = f"{r.randint(1, 999)}{r.choice(['.', ','])}{r.randint(0, 99):02d}"
    return r.choice(["$" + value, value + " usd", value])


def _date(r):
    d, m, y = r.randint(1, 28), r.randint(1, 12), r.randint(2015, 2024)
    return r.choice([f"{d:02d}.{m:02d}.{y}", f"{y}-{m:02d}-{d:02d}", f"{d} {MONTHS[m - 1]} {y}", f"{d}/{m}/{y % 100:02d}"])


def make_line(r):
    parts = [(r.choice(ITEMS), 0), (_amount(r), 1), (_date(r), 2)]
    if r.random() < 0.5:
        parts.append((f"#{r.randint(1000, 99999)}", 0))
    if r.random() < 0.4:
        parts.append((f"{r.randint(1, 9)} x", 0))
    if r.random() < 0.3:
        parts.append((f"tel {r.randint(100, 999)}-{r.randint(1000, 9999)}", 0))
    r.shuffle(parts)
    text, tags = "", []
    for i, (piece, tag) in enumerate(parts):
        if i:
            text += " "
            tags.append(0)
        text += piece
        tags += [tag] * len(piece)
    return text, tags


def make_corpus(n, seed):
    r = random.Random(seed)
    return [make_line(r) for _ in range(n)]


def encode(text):
    return [CHAR_TO_ID[c] for c in text]
