import csv
import json

import torch


class Cohort:
    """Patients keyed by id; columns other than id/months/died are covariates."""

    def __init__(self, path):
        with open(path, newline="") as fh:
            rows = list(csv.DictReader(fh))
        self.names = [c for c in rows[0] if c not in ("id", "months", "died")]
        self.row_of = {r["id"]: k for k, r in enumerate(rows)}
        self.x = torch.tensor([[float(r[c]) for c in self.names] for r in rows])
        self.time = torch.tensor([float(r["months"]) for r in rows])
        self.event = torch.tensor([float(r["died"]) for r in rows])

    def subset(self, ids):
        k = torch.tensor([self.row_of[i] for i in ids])
        return self.x[k], self.time[k], self.event[k]


def load(folder):
    cohort = Cohort(f"{folder}/cohort.csv")
    with open(f"{folder}/split.json") as fh:
        split = json.load(fh)
    fit, val = cohort.subset(split["fit"]), cohort.subset(split["validate"])
    mu, sd = fit[0].mean(0), fit[0].std(0)
    scale = lambda t: ((t[0] - mu) / sd, t[1], t[2])
    return scale(fit), scale(val)
