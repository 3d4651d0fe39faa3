import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch

# unit -> (factor, offset) to the unit used inside the model
CONVERSION = {
    "degC": (1.0, 0.0),
    "degF": (1 / 1.8, -32 / 1.8),
    "m/s": (1.0, 0.0),
    "kn": (0.514444, 0.0),
    "hPa": (1.0, 0.0),
    "W/m2": (1.0, 0.0),
    "%": (1.0, 0.0),
    "ppb": (1.0, 0.0),
    "ug/m3": (1 / 1.912, 0.0),
}


def load_year(folder, year, inputs, target):
    """One year of daily means: inputs (rows, columns) and target (rows,), converted."""
    folder = Path(folder)
    units = json.loads((folder / "units.json").read_text())[year]
    frame = pd.read_csv(folder / f"{year}.csv")
    for column in [*inputs, target]:
        factor, offset = CONVERSION[units[column]]
        frame[column] = frame[column] * factor + offset
    x = frame[inputs].to_numpy(np.float32)
    y = frame[target].to_numpy(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y)


@dataclass
class Standardiser:
    mean: torch.Tensor
    std: torch.Tensor

    @classmethod
    def fit(cls, values):
        return cls(values.mean(0), values.std(0))

    def __call__(self, values):
        return (values - self.mean) / self.std

    def inverse(self, values):
        return values * self.std + self.mean
