import csv

import torch

CONTINUOUS = ["age", "bmi", "systolic", "creatinine", "hemoglobin"]


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    cont = torch.tensor([[float(r[c]) for c in CONTINUOUS] for r in rows])
    binary = torch.tensor([[float(r["smoker"])] for r in rows])
    stage = torch.nn.functional.one_hot(torch.tensor([int(r["stage"]) - 1 for r in rows]), 4).float()
    months = torch.tensor([float(r["months"]) for r in rows])
    died = torch.tensor([float(r["died"]) for r in rows])
    return cont, binary, stage, months, died


def split(n, seed, share=0.7):
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    return perm[: int(n * share)], perm[int(n * share) :]
