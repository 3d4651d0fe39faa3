import json

import numpy as np
import torch


class Vocab:
    def __init__(self, path):
        with open(path, encoding="utf8") as fh:
            self.index = json.load(fh)
        self.pad = self.index["<pad>"]
        self.bos = self.index["<bos>"]

    def __len__(self):
        return max(self.index.values()) + 1


def load_lines(path):
    """Token ids of every line, one row per line, all rows of the same width."""
    with np.load(path) as z:
        return torch.from_numpy(z["train"].astype(np.int64)), torch.from_numpy(z["dev"].astype(np.int64))
