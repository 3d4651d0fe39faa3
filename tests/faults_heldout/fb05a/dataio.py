"""Reading the ratings table and the fixed evaluation split."""
import csv
import json
from pathlib import Path
from typing import NamedTuple

import torch


class Ratings(NamedTuple):
    user: torch.Tensor
    item: torch.Tensor
    score: torch.Tensor

    def take(self, idx):
        return Ratings(self.user[idx], self.item[idx], self.score[idx])

    def __len__(self):
        return len(self.score)


def load_ratings(path: Path) -> Ratings:
    with path.open() as fh:
        rows = [(int(r["user_id"]), int(r["book_id"]), float(r["rating"])) for r in csv.DictReader(fh)]
    u, i, s = zip(*rows)
    return Ratings(torch.tensor(u), torch.tensor(i), torch.tensor(s))


def load_split(path: Path):
    spec = json.loads(path.read_text())
    return torch.tensor(spec["train"]), torch.tensor(spec["validation"])


def shuffled_batches(ratings: Ratings, size: int, generator: torch.Generator):
    perm = torch.randperm(len(ratings), generator=generator)
    for idx in perm.split(size):
        yield ratings.take(idx)
