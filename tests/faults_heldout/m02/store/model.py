import torch
import torch.nn as nn


class SalesNet(nn.Module):
    def __init__(self, n_stores, n_products, dim=4, hidden=48):
        super().__init__()
        self.store_emb = nn.Embedding(n_stores, dim)
        self.product_emb = nn.Embedding(n_products, dim)
        self.net = nn.Sequential(
            nn.Linear(2 * dim + 2, hidden), nn.LayerNorm(hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.LayerNorm(hidden), nn.ReLU(),
        )
        self.out = nn.Linear(hidden, 1)

    def forward(self, s, p, cont):
        h = torch.cat([self.store_emb(s), self.product_emb(p), cont], dim=1)
        return self.out(self.net(h)).squeeze(1)
