import datetime
import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, SOS, EOS = 0, 1, 2
CHARS = "0123456789-/., abcdefghijklmnopqrstuvwxyz"
VOCAB = 3 + len(CHARS)
_C2I = {c: i + 3 for i, c in enumerate(CHARS)}
_FORMATS = ["%d %B %Y", "%B %d, %Y", "%d/%m/%Y", "%a %d %b %Y", "%d.%m.%y"]


def encode(s):
    return [_C2I[c] for c in s.lower()]


def decode(ids):
    out = []
    for i in ids:
        if i == EOS:
            break
        if i > EOS:
            out.append(CHARS[i - 3])
    return "".join(out)


def all_dates(seed):
    d0 = datetime.date(2000, 1, 1)
    days = [d0 + datetime.timedelta(n) for n in range(365 * 25)]
    random.Random(seed).shuffle(days)
    return days


class DateDataset(Dataset):
    """Free-form date -> ISO date.  Splits are made over days, not over renderings."""

    def __init__(self, days, seed):
        rng = random.Random(seed)
        self.items = [(d.strftime(rng.choice(_FORMATS)), d.isoformat()) for d in days]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        src, tgt = self.items[i]
        return torch.tensor(encode(src) + [EOS]), torch.tensor([SOS] + encode(tgt) + [EOS])


def collate(batch):
    src, tgt = zip(*batch)
    return (pad_sequence(src, batch_first=True, padding_value=PAD),
            torch.tensor([len(s) for s in src]),
            pad_sequence(tgt, batch_first=True, padding_value=PAD))
