"""Maintenance tickets: id, trade, text (tab separated) and one id per line in the split files."""
from collections import Counter
from pathlib import Path

import torch


class Tickets:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.text, self.trade = {}, {}
        for line in (self.folder / "tickets.tsv").read_text().splitlines():
            ticket, trade, text = line.split("\t")
            self.text[ticket] = text.split()
            self.trade[ticket] = trade
        self.trades = sorted(set(self.trade.values()))

    def split(self, name):
        ids = (self.folder / name).read_text().split()
        texts = [self.text[i] for i in ids]
        labels = torch.tensor([self.trades.index(self.trade[i]) for i in ids])
        return texts, labels


class Vocabulary:
    def __init__(self, texts, min_count):
        counts = Counter(w for t in texts for w in t)
        words = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: k + 1 for k, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 1

    def encode(self, texts):
        longest = max(len(t) for t in texts)
        out = torch.zeros(len(texts), longest, dtype=torch.long)
        for row, text in enumerate(texts):
            known = [self.index[w] for w in text if w in self.index]
            out[row, : len(known)] = torch.tensor(known)
        return out
