import csv
import re

import torch


def words_of(text):
    return re.findall(r"[a-z0-9']+", text.lower())


class TicketData:
    """Tickets as (text, tags); a ticket can carry several tags or none."""

    def __init__(self, path, tags, dev_share, min_count):
        self.tags = list(tags)
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        n_dev = int(len(rows) * dev_share)
        train, dev = rows[:-n_dev], rows[-n_dev:]

        counts = {}
        for r in train:
            for w in words_of(r["text"]):
                counts[w] = counts.get(w, 0) + 1
        kept = sorted(w for w, c in counts.items() if c >= min_count)
        self.vocab = {"<unk>": 0, **{w: i for i, w in enumerate(kept, 1)}}
        self.train = [self.encode(r) for r in train]
        self.dev = [self.encode(r) for r in dev]

    def encode(self, row):
        ids = [self.vocab.get(w, 0) for w in words_of(row["text"])]
        given = set(row["tags"].split("|"))
        return ids, [float(t in given) for t in self.tags]

    @staticmethod
    def collate(batch):
        words = torch.tensor([w for ids, _ in batch for w in ids])
        sizes = torch.tensor([0] + [len(ids) for ids, _ in batch[:-1]])
        target = torch.tensor([t for _, t in batch])
        return words, sizes.cumsum(0), target
