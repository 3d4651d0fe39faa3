import csv
import math

import torch


def read_table(path):
    with open(path) as f:
        rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(f)]
    feats = []
    for r in rows:
        h = 2 * math.pi * r["hour"] / 24
        feats.append([
            math.sin(h), math.cos(h), math.sin(2 * h), math.cos(2 * h), float(r["weekday"] >= 5),
            r["temp_c"], r["wind_ms"], r["solar"], r["holiday"], r["lag_index"],
        ])
    return torch.tensor(feats), torch.tensor([r["load_mw"] for r in rows])


class Scaler:
    def __init__(self, x):
        self.mean, self.std = x.mean(0), x.std(0)

    def __call__(self, x):
        return (x - self.mean) / self.std

    def inverse(self, x):
        return x * self.std + self.mean
