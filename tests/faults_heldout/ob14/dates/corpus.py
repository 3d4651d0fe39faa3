import datetime as dt
import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

from .vocab import BOS, EOS, PAD, encode

FORMATS = ["%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%d/%m/%Y"]


class DatePairs(Dataset):
    """Written date -> ISO date."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.pairs = []
        for _ in range(n):
            day = dt.date(1960, 1, 1) + dt.timedelta(days=rng.randrange(25000))
            self.pairs.append((day.strftime(rng.choice(FORMATS)), day.isoformat()))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        src, tgt = self.pairs[i]
        return torch.tensor(encode(src)), torch.tensor([BOS] + encode(tgt) + [EOS])


def collate(batch):
    src = pad_sequence([s for s, _ in batch], batch_first=True, padding_value=PAD)
    tgt = pad_sequence([t for _, t in batch], batch_first=True, padding_value=PAD)
    return src, tgt
