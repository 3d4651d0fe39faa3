import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, sizes, n_nums, dim=8, hidden=64, p=0.1):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(s, dim) for s in sizes])
        self.mlp = nn.Sequential(
            nn.Linear(dim * len(sizes) + n_nums, hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, codes, nums):
        emb = [t(codes[:, k]) for k, t in enumerate(self.tables)]
        return self.mlp(torch.cat(emb + [nums], dim=1)).squeeze(1)
