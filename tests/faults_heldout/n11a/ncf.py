import torch
from torch import nn


class NCF(nn.Module):
    def __init__(self, n_users, n_items, dim, hidden):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.tower = nn.Sequential(
            nn.Linear(2 * dim, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden // 2), nn.ReLU(),
            nn.Linear(hidden // 2, 1),
        )

    def forward(self, u, i):
        return self.tower(torch.cat([self.user(u), self.item(i)], dim=-1)).squeeze(-1)
