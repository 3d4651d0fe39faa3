import torch
from torch.utils.data import Dataset

PAD, MASK, FIRST = 0, 1, 2  # page ids start at FIRST
IGNORE = -100


class Sessions(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def read(path):
    with open(path) as f:
        return [torch.tensor([int(t) + FIRST for t in line.split()]) for line in f]


class MaskCollate:
    """Pads, then hides 15% of the pages: 80% mask token, 10% random page, 10% unchanged."""

    def __init__(self, vocab, rate=0.15, seed=None):
        self.vocab, self.rate, self.seed = vocab, rate, seed

    def __call__(self, rows):
        g = None if self.seed is None else torch.Generator().manual_seed(self.seed + len(rows) + int(rows[0].sum()))
        x = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)
        real = x != PAD
        pick = (torch.rand(x.shape, generator=g) < self.rate) & real
        # at least one hidden page in every session
        none = ~pick.any(1)
        pick[none, 0] = True
        y = torch.where(pick, x, torch.full_like(x, IGNORE))
        u = torch.rand(x.shape, generator=g)
        rand = torch.randint(FIRST, self.vocab, x.shape, generator=g)
        x = torch.where(pick & (u < 0.8), torch.full_like(x, MASK), x)
        x = torch.where(pick & (u >= 0.8) & (u < 0.9), rand, x)
        return x, ~real, y
