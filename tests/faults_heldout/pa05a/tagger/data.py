from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

IGNORE = -100
PAD_TOKEN = 0


@dataclass
class Split:
    tokens: torch.Tensor   # (N, T) int64, PAD_TOKEN beyond the end of the sentence
    tags: torch.Tensor     # (N, T) int64

    def __len__(self):
        return self.tokens.size(0)


def load_split(path: Path) -> Split:
    with np.load(path) as z:
        return Split(torch.from_numpy(z["tokens"].astype(np.int64)),
                     torch.from_numpy(z["tags"].astype(np.int64)))


def batches(split: Split, size: int, generator=None):
    n = len(split)
    order = torch.randperm(n, generator=generator) if generator is not None else torch.arange(n)
    for chunk in order.split(size):
        yield split.tokens[chunk], split.tags[chunk]
