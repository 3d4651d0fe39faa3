import csv
from typing import NamedTuple

import torch

NUMERIC = ("age", "sbp", "lactate", "creatinine")
BINARY = ("female", "surgical")


class Cohort(NamedTuple):
    x: torch.Tensor
    months: torch.Tensor
    event: torch.Tensor

    def rows(self, idx):
        return Cohort(self.x[idx], self.months[idx], self.event[idx])

    @property
    def size(self):
        return self.event.numel()


def read_cohort(path):
    x, t, e = [], [], []
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            x.append([float(row[c]) for c in NUMERIC + BINARY])
            t.append(float(row["days"]) / 30.4)
            e.append(float(row["died"]))
    return Cohort(torch.tensor(x), torch.tensor(t), torch.tensor(e))


def split_and_scale(cohort, holdout, generator):
    perm = torch.randperm(cohort.size, generator=generator)
    cut = int(cohort.size * holdout)
    test, train = cohort.rows(perm[:cut]), cohort.rows(perm[cut:])
    k = len(NUMERIC)
    mu, sd = train.x[:, :k].mean(0), train.x[:, :k].std(0)

    def scale(part):
        return part._replace(x=torch.cat([(part.x[:, :k] - mu) / sd, part.x[:, k:]], dim=1))

    return scale(train), scale(test)


def batches(cohort, batch, generator):
    for idx in torch.randperm(cohort.size, generator=generator).split(batch):
        yield cohort.rows(idx)
