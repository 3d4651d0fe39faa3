import json

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


class Meta:
    def __init__(self, path):
        raw = json.loads(path.read_text())
        self.vocab_size = raw["vocab_size"]
        self.pad_id = raw["special"]["pad"]
        self.classes = raw["classes"]


def loaders(folder, batch_size):
    out = {}
    for split in ("train", "dev"):
        f = np.load(folder / f"{split}.npz")
        ds = TensorDataset(torch.from_numpy(f["tokens"]).long(), torch.from_numpy(f["label"]).long())
        out[split] = DataLoader(ds, batch_size, shuffle=split == "train")
    return out
