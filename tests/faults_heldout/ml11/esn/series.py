import csv

import torch


def read(path):
    with open(path) as fh:
        rows = [(float(r["level_m"]), float(r["rain_mm"])) for r in csv.DictReader(fh)]
    return torch.tensor(rows)


def prepare(cfg):
    """Inputs are level and rain of the hour, the target is the level `horizon` hours later."""
    raw = read(cfg["file"])
    raw = torch.stack([raw[:, 0], raw[:, 1].sqrt()], 1)
    reference = raw[: cfg["train"]]
    scaled = (raw - reference.mean(0)) / reference.std(0)
    h = cfg["horizon"]
    return scaled[:-h], scaled[h:, :1]
