import csv
import math

import torch


class Table:
    """Categories become codes (0 is kept for unknown values), numbers are standardised with the fit rows."""

    def __init__(self, path, category, number, log, target):
        with open(path) as f:
            self.rows = list(csv.DictReader(f))
        self.category, self.number, self.log, self.target = category, number, log, target

    def split(self, share, seed):
        g = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self.rows), generator=g).tolist()
        cut = int(share * len(order))
        fit, held = [self.rows[i] for i in order[:cut]], [self.rows[i] for i in order[cut:]]
        self.codes = [{v: k + 1 for k, v in enumerate(sorted({r[c] for r in fit}))} for c in self.category]
        num = self._numbers(fit)
        self.mean, self.std = num.mean(0), num.std(0)
        return self._tensors(fit), self._tensors(held)

    def _numbers(self, rows):
        return torch.tensor([[math.log(float(r[c])) if c in self.log else float(r[c]) for c in self.number]
                             for r in rows])

    def _tensors(self, rows):
        cat = torch.tensor([[code.get(r[c], 0) for c, code in zip(self.category, self.codes)] for r in rows])
        num = (self._numbers(rows) - self.mean) / self.std
        y = torch.tensor([int(r[self.target]) - 1 for r in rows])
        return cat, num, y
