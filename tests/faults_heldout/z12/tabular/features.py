import csv

import numpy as np
import torch

CATEGORICAL = ("city", "kind", "heating")
NUMERIC = ("area", "age", "distance")


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    cats = np.array([[int(r[c]) for c in CATEGORICAL] for r in rows])
    nums = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype="float32")
    nums[:, 0], nums[:, 2] = np.log(nums[:, 0]), np.log1p(nums[:, 2])
    target = np.log(np.array([float(r["price"]) for r in rows], dtype="float32"))
    return cats, nums, target


def split_and_scale(cats, nums, target, seed=0, train_frac=0.75):
    order = np.random.default_rng(seed).permutation(len(target))
    cut = int(len(order) * train_frac)
    tr, va = order[:cut], order[cut:]
    mu, sd = nums[tr].mean(0), nums[tr].std(0)
    ym, ys = target[tr].mean(), target[tr].std()
    nums, target = (nums - mu) / sd, (target - ym) / ys
    pack = lambda i: (torch.tensor(cats[i]), torch.tensor(nums[i]), torch.tensor(target[i]))
    return pack(tr), pack(va)
