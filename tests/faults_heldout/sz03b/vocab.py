import re
from collections import Counter

TOKEN = re.compile(r"[A-Za-z]+|\d+")
PAD, UNK = 0, 1


class TitleReader:
    """Turns a product title into word ids."""

    def __init__(self, lowercase, keep_numbers=True):
        self.lowercase = lowercase
        self.keep_numbers = keep_numbers

    def words(self, title):
        if self.lowercase:
            title = title.lower()
        found = TOKEN.findall(title)
        return found if self.keep_numbers else [w for w in found if not w.isdigit()]


def build_vocab(titles, reader, min_count):
    counts = Counter(w for t in titles for w in reader.words(t))
    kept = sorted(w for w, c in counts.items() if c >= min_count)
    return {w: i for i, w in enumerate(kept, start=2)}


def encode(titles, reader, vocab, length):
    rows = []
    for title in titles:
        ids = [vocab.get(w, UNK) for w in reader.words(title)][:length]
        rows.append(ids + [PAD] * (length - len(ids)))
    return rows
