import torch
from torch import nn


class PromoterTransformer(nn.Module):
    def __init__(self, length, dim=32, heads=4, layers=2, kmer=7, dropout=0.1):
        super().__init__()
        self.tokens = nn.Embedding(4, dim)
        self.local = nn.Conv1d(dim, dim, kmer, padding=kmer // 2)
        self.position = nn.Parameter(torch.randn(1, length, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.head = nn.Linear(dim, 2)

    def forward(self, tokens):
        x = self.tokens(tokens)
        x = x + self.local(x.transpose(1, 2)).transpose(1, 2).relu()
        x = self.encoder(x + self.position)
        return self.head(x.max(dim=1).values)
