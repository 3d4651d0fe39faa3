import csv
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Ratings:
    train: DataLoader
    valid: DataLoader
    n_users: int
    n_items: int
    mean: float


def load_ratings(path, valid_fraction, batch_size, seed):
    users, items, stars = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            users.append(int(row["user"]) - 1)
            items.append(int(row["movie"]) - 1)
            stars.append(float(row["rating"]))
    ds = TensorDataset(torch.tensor(users), torch.tensor(items), torch.tensor(stars))
    n_valid = int(len(ds) * valid_fraction)
    gen = torch.Generator().manual_seed(seed)
    train, valid = random_split(ds, [len(ds) - n_valid, n_valid], generator=gen)
    mean = ds.tensors[2][train.indices].mean().item()
    return Ratings(
        train=DataLoader(train, batch_size=batch_size, shuffle=True),
        valid=DataLoader(valid, batch_size=2048),
        n_users=max(users) + 1,
        n_items=max(items) + 1,
        mean=mean,
    )
