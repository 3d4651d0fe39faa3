"""Dates written by people and their ISO form. Every calendar day belongs to exactly one split."""
import datetime as dt
import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

from vocab import BOS, EOS, PAD, dst_table, src_table

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august",
          "september", "october", "november", "december"]


def human(d, rng):
    m = MONTHS[d.month - 1]
    style = rng.randrange(5)
    if style == 0:
        return f"{d.day} {m} {d.year}"
    if style == 1:
        return f"{m} {d.day}, {d.year}"
    if style == 2:
        return f"{d.day} {m[:3]} {d.year}"
    if style == 3:
        return f"{d.day:02d}.{d.month:02d}.{d.year}"
    return f"{d.year}/{d.month}/{d.day}"


def make_splits(n_train, n_val, seed):
    rng = random.Random(seed)
    first = dt.date(1950, 1, 1).toordinal()
    last = dt.date(2030, 12, 31).toordinal()
    days = rng.sample(range(first, last + 1), n_train + n_val)
    rows = [(human(dt.date.fromordinal(o), rng), dt.date.fromordinal(o).isoformat()) for o in days]
    return rows[:n_train], rows[n_train:]


class DateSet(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.items = [(torch.tensor(src_table.ids(a)), torch.tensor([BOS] + dst_table.ids(b) + [EOS]))
                      for a, b in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    src, dst = zip(*batch)
    lengths = torch.tensor([len(s) for s in src])
    return (pad_sequence(src, batch_first=True, padding_value=PAD), lengths,
            pad_sequence(dst, batch_first=True, padding_value=PAD))
