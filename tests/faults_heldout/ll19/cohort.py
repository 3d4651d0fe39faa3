from pathlib import Path

import numpy as np
import torch


def read(name="cohort.csv"):
    a = np.genfromtxt(Path(__file__).with_name(name), delimiter=",", names=True)
    cols = [c for c in a.dtype.names if c not in ("months", "died")]
    x = np.stack([np.log(a[c]) if c == "crp" else a[c] for c in cols], 1)
    x = np.where(np.isfinite(x), x, np.log(0.1))         # crp below the detection limit
    as_t = lambda v: torch.tensor(v, dtype=torch.float32)
    return as_t(x), as_t(a["months"]), as_t(a["died"]), cols


def folds(n, k, generator):
    parts = torch.randperm(n, generator=generator).chunk(k)
    for i in range(k):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]
