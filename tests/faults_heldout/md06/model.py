import torch
from torch import nn


class BiasedMF(nn.Module):
    """score(u, i) = mu + b_u + b_i + <p_u, q_i>, all tables as sparse embeddings."""

    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.register_buffer("mu", torch.tensor(float(mean)))
        self.p = nn.Embedding(n_users, dim, sparse=True)
        self.q = nn.Embedding(n_items, dim, sparse=True)
        self.bu = nn.Embedding(n_users, 1, sparse=True)
        self.bi = nn.Embedding(n_items, 1, sparse=True)
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.15)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        pu, qi, bu, bi = self.p(u), self.q(i), self.bu(u), self.bi(i)
        score = self.mu + (bu + bi).squeeze(1) + (pu * qi).sum(1)
        l2 = pu.pow(2).sum(1) + qi.pow(2).sum(1) + 0.5 * (bu.pow(2) + bi.pow(2)).squeeze(1)
        return score, l2.mean()
