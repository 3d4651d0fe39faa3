import csv
import math

import torch

CATEGORIES = ("plan", "channel", "region")
AMOUNTS = ("tenure", "bill", "gigabytes")
COUNTS = ("calls", "late")


class CustomerTable:
    def __init__(self, path, n_train):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        self.levels = {c: sorted({r[c] for r in rows[:n_train]}) for c in CATEGORIES}
        codes = [[self.levels[c].index(r[c]) for c in CATEGORIES] for r in rows]
        numbers = [[math.log(float(r[k])) for k in AMOUNTS] + [float(r[k]) for k in COUNTS] for r in rows]
        self.codes = torch.tensor(codes)
        self.numbers = torch.tensor(numbers)
        head = self.numbers[:n_train]
        self.numbers = (self.numbers - head.mean(0)) / head.std(0)
        self.left = torch.tensor([float(r["left"]) for r in rows])
        self.n_train = n_train

    def part(self, name):
        s = slice(0, self.n_train) if name == "train" else slice(self.n_train, None)
        return self.codes[s], self.numbers[s], self.left[s]
