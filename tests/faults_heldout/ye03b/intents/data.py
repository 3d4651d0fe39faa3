from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

PAD = 0


@dataclass
class Split:
    tokens: torch.Tensor
    labels: torch.Tensor

    def __len__(self):
        return len(self.labels)

    def batches(self, size, shuffle=False):
        order = torch.randperm(len(self)) if shuffle else torch.arange(len(self))
        for part in order.split(size):
            yield self.tokens[part], self.labels[part]


def load_split(folder, name, max_len):
    with np.load(Path(folder) / f"{name}.npz") as z:
        tokens = torch.from_numpy(z["tokens"].astype(np.int64))
        labels = torch.from_numpy(z["intent"].astype(np.int64))
    return Split(tokens[:, :max_len].contiguous(), labels)


def load_vocab(folder):
    return (Path(folder) / "vocab.txt").read_text().split("\n")
