import torch
from torch import nn

from .tables import CATEGORICAL, NUMERIC


class TabNet(nn.Module):
    def __init__(self, emb=4, hidden=48, p=0.1):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(len(v), emb) for v in CATEGORICAL.values())
        d = len(NUMERIC) + emb * len(CATEGORICAL)
        self.mlp = nn.Sequential(nn.Linear(d, hidden), nn.SiLU(), nn.Dropout(p),
                                 nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 1))

    def forward(self, num, cat):
        e = [m(cat[:, j]) for j, m in enumerate(self.embs)]
        return self.mlp(torch.cat([num, *e], dim=1)).squeeze(1)
