import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, n_districts, n_numeric, emb=4, hidden=64, dropout=0.05):
        super().__init__()
        self.emb = nn.Embedding(n_districts, emb)
        self.body = nn.Sequential(
            nn.Linear(emb + n_numeric, hidden), nn.GELU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.GELU(), nn.Dropout(dropout),
            nn.Linear(hidden, 1),
        )

    def forward(self, district, numeric):
        h = torch.cat([self.emb(district), numeric], dim=1)
        return self.body(h).squeeze(1)
