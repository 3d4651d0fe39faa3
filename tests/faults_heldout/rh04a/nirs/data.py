"""Near infrared spectra of grain samples, one csv per measuring campaign."""
import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


def load_campaigns(folder):
    table = {}
    for path in sorted(Path(folder).glob("campaign_*.csv")):
        with open(path, newline="") as fh:
            rows = csv.reader(fh)
            next(rows)
            for sample, protein, *absorbance in rows:
                table[sample] = (np.array(absorbance, dtype=np.float32), float(protein))
    return table


def read_ids(path):
    return Path(path).read_text().split()


class Spectra(Dataset):
    def __init__(self, table, ids, stats=None):
        x = np.stack([table[i][0] for i in ids])
        y = np.array([table[i][1] for i in ids], dtype=np.float32)
        if stats is None:
            stats = (x.mean(0), x.std(0), y.mean(), y.std())
        self.stats = stats
        self.x = torch.from_numpy((x - stats[0]) / stats[1])
        self.y = torch.from_numpy((y - stats[2]) / stats[3])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
