"""Loading of the meter-digit crops listed in the manifest."""
import json
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def read_manifest(root, name):
    with open(Path(root) / name) as fh:
        return json.load(fh)["splits"]


def load_split(root, entry):
    blob = np.load(Path(root) / entry["file"])
    x = torch.from_numpy(blob["pixels"]).float().div(16.0).unsqueeze(1)
    y = torch.from_numpy(blob["digit"]).long()
    return TensorDataset(x, y)


def build_loaders(cfg):
    root = cfg["root"]
    splits = read_manifest(root, cfg["manifest"])
    loaders = {
        name: DataLoader(load_split(root, entry), batch_size=cfg["batch_size"], shuffle=(name == "train"))
        for name, entry in splits.items()
    }
    sizes = {name: entry["rows"] for name, entry in splits.items()}
    return loaders, sizes
