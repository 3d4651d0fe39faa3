import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class StockReader(nn.Module):
    """Reads a list of (item, bin) records and says in which bin the requested item lies."""

    def __init__(self, n_items, n_bins, dim=48, heads=4, depth=2):
        super().__init__()
        self.item = nn.Embedding(n_items, dim)
        self.bin = nn.Embedding(n_bins, dim)
        self.ask = nn.Parameter(torch.zeros(dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_bins)

    def forward(self, items, bins, query):
        records = self.item(items) + self.bin(bins)
        question = (self.item(query) + self.ask).unsqueeze(1)
        x = torch.cat([question, records], dim=1)
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x[:, 0]))
