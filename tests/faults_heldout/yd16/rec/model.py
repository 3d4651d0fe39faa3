import torch
import torch.nn as nn


class Factorizer(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim, sparse=True)
        self.item = nn.Embedding(n_items, dim, sparse=True)
        self.item_bias = nn.Embedding(n_items, 1, sparse=True)
        self.mix = nn.Linear(dim, dim, bias=False)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.item_bias.weight)
        nn.init.eye_(self.mix.weight)

    def embedding_parameters(self):
        return [self.user.weight, self.item.weight, self.item_bias.weight]

    def score(self, users, items):
        """users (B,), items (B, K) -> (B, K)"""
        u = self.mix(self.user(users)).unsqueeze(1)
        return (u * self.item(items)).sum(-1) + self.item_bias(items).squeeze(-1)

    def norms(self, users, items):
        return self.user(users).pow(2).sum(-1).mean() + self.item(items).pow(2).sum(-1).mean()

    @torch.no_grad()
    def all_scores(self):
        return self.mix(self.user.weight) @ self.item.weight.T + self.item_bias.weight.T
