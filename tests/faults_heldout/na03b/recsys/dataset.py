import csv

import torch
from torch.utils.data import Dataset


class RatingTable(Dataset):
    """One CSV of user_id, item_id, stars."""

    def __init__(self, path):
        with open(path, newline="") as fh:
            rows = [(int(r["user_id"]), int(r["item_id"]), float(r["stars"])) for r in csv.DictReader(fh)]
        users, items, stars = zip(*rows)
        self.users = torch.tensor(users)
        self.items = torch.tensor(items)
        self.stars = torch.tensor(stars)

    def __len__(self):
        return len(self.stars)

    def __getitem__(self, i):
        return self.users[i], self.items[i], self.stars[i]
