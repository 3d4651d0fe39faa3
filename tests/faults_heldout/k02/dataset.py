import random

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset

BLANK = 0


class DigitStrips(Dataset):
    """Strips of 2..4 handwritten digits with random gaps, read column by column. Token = digit + 1."""

    def __init__(self, images, labels, size, seed):
        rnd = random.Random(seed)
        self.items = []
        for _ in range(size):
            pieces, toks = [], []
            for _ in range(rnd.randint(2, 4)):
                i = rnd.randrange(len(images))
                pieces.append(images[i])
                pieces.append(torch.zeros(8, rnd.randint(1, 2)))
                toks.append(int(labels[i]) + 1)
            strip = torch.cat(pieces, dim=1)
            self.items.append((strip.t().contiguous(), torch.tensor(toks)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def build(seed=0):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32) / 16.0
    tr, te = train_test_split(range(len(x)), test_size=0.25, random_state=seed, stratify=d.target)
    y = torch.tensor(d.target)
    return DigitStrips(x[tr], y[tr], 2800, seed + 1), DigitStrips(x[te], y[te], 300, seed + 2)


def collate(batch):
    xs, ys = zip(*batch)
    xl = torch.tensor([len(x) for x in xs])
    yl = torch.tensor([len(y) for y in ys])
    return torch.nn.utils.rnn.pad_sequence(xs, batch_first=True), xl, torch.cat(ys), yl
