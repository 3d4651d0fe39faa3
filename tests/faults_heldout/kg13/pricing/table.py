import csv
import math
import torch

CATEGORIES = ("brand", "cpu", "shop")


class SalesTable:
    """One year of sales: category codes, numbers and the log price."""

    def __init__(self, path, scale=None):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        self.levels = {c: sorted({r[c] for r in rows}) for c in CATEGORIES}
        lookup = {c: {v: i for i, v in enumerate(self.levels[c])} for c in CATEGORIES}
        self.codes = torch.tensor([[lookup[c][r[c]] for c in CATEGORIES] for r in rows])
        nums = torch.tensor([[math.log2(float(r["ram"])), float(r["age"])] for r in rows])
        price = torch.tensor([math.log(float(r["price"])) for r in rows])
        if scale is None:
            scale = (nums.mean(0), nums.std(0), price.mean(), price.std())
        self.scale = scale
        self.nums = (nums - scale[0]) / scale[1]
        self.price = (price - scale[2]) / scale[3]

    def __len__(self):
        return len(self.price)

    def __getitem__(self, i):
        return self.codes[i], self.nums[i], self.price[i]
