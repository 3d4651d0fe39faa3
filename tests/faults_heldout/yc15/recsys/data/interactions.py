import csv
from collections import defaultdict

import torch


class Interactions:
    """Leave-one-out split: the most recent play of each user is held out."""

    def __init__(self, path):
        events = defaultdict(list)
        with open(path) as fh:
            for row in csv.DictReader(fh):
                events[int(row["user"])].append((int(row["time"]), int(row["item"])))
        self.num_users = max(events) + 1
        self.num_items = 1 + max(i for rows in events.values() for _, i in rows)
        pairs, self.heldout, self.seen = [], {}, {}
        for user, rows in sorted(events.items()):
            items = [i for _, i in sorted(rows)]
            self.heldout[user] = items[-1]
            self.seen[user] = set(items[:-1])
            pairs += [(user, i) for i in items[:-1]]
        self.pairs = torch.tensor(pairs)
        self.mask = torch.zeros(self.num_users, self.num_items, dtype=torch.bool)
        self.mask[self.pairs[:, 0], self.pairs[:, 1]] = True

    def popularity(self):
        return torch.bincount(self.pairs[:, 1], minlength=self.num_items).float()
