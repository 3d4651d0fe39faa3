import torch
import torch.nn as nn


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, cfg, global_mean):
        super().__init__()
        self.p = nn.Embedding(n_users, cfg.n_factors)
        self.q = nn.Embedding(n_items, cfg.n_factors)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mu", torch.as_tensor(global_mean))
        for emb in (self.p, self.q):
            nn.init.normal_(emb.weight, std=cfg.init_std)
        for emb in (self.bu, self.bi):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(-1)
        return self.mu + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1) + dot

    def penalty(self, u, i):
        return (self.p(u) ** 2 + self.q(i) ** 2).sum(-1).mean() \
            + (self.bu(u) ** 2 + self.bi(i) ** 2).sum(-1).mean()
