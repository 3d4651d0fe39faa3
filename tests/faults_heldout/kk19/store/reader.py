import json
from pathlib import Path

import torch
from torch.utils.data import Dataset

FILE = Path(__file__).resolve().parent / "turbines.jsonl"


class TurbineDataset(Dataset):
    """Two days of hourly wind and power per record, target is the yaw error in degrees."""

    def __init__(self, start, stop, path=FILE):
        self.path = path
        self.start, self.stop = start, stop

    def __len__(self):
        return self.stop - self.start

    def record(self, index):
        with open(self.path) as f:
            records = [json.loads(line) for line in f]
        return records[index]

    def __getitem__(self, i):
        r = self.record(self.start + i)
        wind = torch.tensor(r["wind"]) / 11.0
        power = torch.tensor(r["power"])
        reference = wind.pow(3).clamp(max=1.0)  # manufacturer power curve
        return torch.stack([wind, power, 10 * (reference - power)]), torch.tensor(r["yaw_error"] / 10.0)
