import csv

import torch
from torch.utils.data import TensorDataset, random_split


def read_plays(path):
    fields, scores = [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            fields.append([int(row["listener"]), int(row["track"]), int(row["daypart"])])
            scores.append(float(row["score"]))
    fields = torch.tensor(fields)
    scores = torch.tensor(scores)
    sizes = (fields.max(0).values + 1).tolist()
    return TensorDataset(fields, scores), sizes


def split(ds, share=0.15, seed=1):
    n = int(len(ds) * share)
    return random_split(ds, [len(ds) - n, n], generator=torch.Generator().manual_seed(seed))
