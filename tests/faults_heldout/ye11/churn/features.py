from pathlib import Path

import numpy as np
import torch
from torch.utils.data import TensorDataset

COUNTS = [
    "calls", "minutes", "bytes_mb", "sms", "tickets", "days_since_login",
    "invoices", "late_invoices", "discount_cents", "schema_version",
]
PLANS = {"basic": 0, "plus": 1, "family": 2, "business": 3}


def load(path: Path) -> TensorDataset:
    table = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
    counts = np.stack([table[c].astype(np.float32) for c in COUNTS], axis=1)
    plan = np.array([PLANS[p] for p in table["plan"]])
    return TensorDataset(
        torch.from_numpy(counts),
        torch.from_numpy(plan),
        torch.from_numpy(table["churned"].astype(np.float32)),
    )
