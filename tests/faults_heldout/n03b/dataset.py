import csv
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset

NUMERIC = ["age", "income", "loan_amount", "term_months", "utilisation", "open_accounts", "years_employed",
           "inquiries_6m", "collection_calls"]
CATEGORICAL = {"purpose": ["car", "home", "debt", "business", "other"], "housing": ["rent", "own", "mortgage"]}
TARGET = "defaulted"


@dataclass
class Scaler:
    mean: np.ndarray
    std: np.ndarray

    @classmethod
    def fit(cls, x):
        return cls(x.mean(0), x.std(0) + 1e-6)

    def __call__(self, x):
        return (x - self.mean) / self.std


class LoanTable(Dataset):
    def __init__(self, path, scaler=None):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
        num[:, 1] = np.log(num[:, 1])
        num[:, 2] = np.log(num[:, 2])
        self.scaler = scaler or Scaler.fit(num)
        self.num = torch.from_numpy(self.scaler(num).astype(np.float32))
        self.cat = torch.tensor([[levels.index(r[c]) for c, levels in CATEGORICAL.items()] for r in rows])
        self.y = torch.tensor([float(r[TARGET]) for r in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.num[i], self.cat[i], self.y[i]
