import json
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


class Corpus:
    def __init__(self, folder: Path):
        meta = json.loads((folder / "meta.json").read_text())
        self.vocab_size = meta["vocab_size"]
        self.pad_id = meta["pad_token_id"]
        self.tags = meta["tags"]
        self.folder = folder

    def split(self, name):
        z = np.load(self.folder / f"{name}.npz")
        return TensorDataset(torch.from_numpy(z["input_ids"].astype(np.int64)),
                             torch.from_numpy(z["tag_ids"].astype(np.int64)))

    def loader(self, name, batch_size, shuffle=False):
        return DataLoader(self.split(name), batch_size=batch_size, shuffle=shuffle)
