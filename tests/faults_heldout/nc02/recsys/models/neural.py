import torch
import torch.nn as nn

from ..registry import MODELS


@MODELS.register("ncf")
class NeuralCF(nn.Module):
    def __init__(self, n_users, n_items, dim, hidden=64, init_std=0.05):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=init_std)

    def forward(self, users, items):
        u = self.user(users).unsqueeze(1).expand(-1, items.shape[1], -1)
        return self.mlp(torch.cat([u, self.item(items)], dim=-1)).squeeze(-1)

    def penalty(self, users, items):
        return self.user(users).pow(2).sum(-1).mean() + self.item(items).pow(2).sum(-1).mean()

    @torch.no_grad()
    def score_all(self, users):
        items = torch.arange(self.item.num_embeddings).expand(len(users), -1)
        return self(users, items)
