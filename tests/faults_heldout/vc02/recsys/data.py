from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch


@dataclass
class Ratings:
    users: torch.Tensor
    items: torch.Tensor
    scores: torch.Tensor

    def __len__(self):
        return len(self.scores)

    def batches(self, size, generator=None):
        order = torch.arange(len(self)) if generator is None else torch.randperm(len(self), generator=generator)
        for idx in order.split(size):
            yield self.users[idx], self.items[idx], self.scores[idx]


def load_ratings(path: Path, test_share: float, seed: int):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    n_users = int(table[:, 0].max()) + 1
    n_items = int(table[:, 1].max()) + 1
    order = np.random.default_rng(seed).permutation(len(table))
    cut = int(len(table) * (1 - test_share))

    def pack(rows):
        part = table[rows]
        return Ratings(
            torch.as_tensor(part[:, 0], dtype=torch.long),
            torch.as_tensor(part[:, 1], dtype=torch.long),
            torch.as_tensor(part[:, 2], dtype=torch.float32),
        )

    return pack(order[:cut]), pack(order[cut:]), n_users, n_items
