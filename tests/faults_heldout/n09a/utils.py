import random

import numpy as np
import torch


def set_seed(s):
    random.seed(s)
    np.random.seed(s)
    torch.manual_seed(s)


class Average:
    def __init__(self):
        self.s, self.n = 0.0, 0

    def add(self, v, n):
        self.s += v * n
        self.n += n

    @property
    def value(self):
        return self.s / max(self.n, 1)


def report(y, pred):
    """recall / precision of the positive class and balanced accuracy"""
    tp = int(((pred == 1) & (y == 1)).sum())
    fp = int(((pred == 1) & (y == 0)).sum())
    fn = int(((pred == 0) & (y == 1)).sum())
    tn = int(((pred == 0) & (y == 0)).sum())
    rec = tp / max(tp + fn, 1)
    prec = tp / max(tp + fp, 1)
    return {"recall": rec, "precision": prec, "bal_acc": (rec + tn / max(tn + fp, 1)) / 2, "acc": (tp + tn) / len(y)}
