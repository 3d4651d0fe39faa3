from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class Ratings:
    users: torch.Tensor
    items: torch.Tensor
    ratings: torch.Tensor

    def __len__(self):
        return len(self.ratings)


def load_ratings(path, seed, val_share=0.15):
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    users, items = rows[:, 0].astype(int), rows[:, 1].astype(int)
    order = np.random.default_rng(seed).permutation(len(rows))
    n_val = int(val_share * len(rows))

    def take(sel):
        return Ratings(torch.from_numpy(users[sel]), torch.from_numpy(items[sel]),
                       torch.from_numpy(rows[sel, 2]).float())

    return take(order[n_val:]), take(order[:n_val]), users.max() + 1, items.max() + 1


class RatingModel(nn.Module):
    """Global mean plus an MLP over the concatenated user and item factors."""

    def __init__(self, n_users, n_items, factors, hidden, dropout, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, factors)
        self.item = nn.Embedding(n_items, factors)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        self.mlp = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(3 * factors, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden // 2, 1),
        )
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, users, items):
        u, i = self.user(users), self.item(items)
        return self.mean + self.mlp(torch.cat([u, i, u * i], dim=1)).squeeze(1)
