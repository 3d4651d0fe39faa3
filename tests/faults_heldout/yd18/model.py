import torch
import torch.nn as nn


class CharBert(nn.Module):
    def __init__(self, n_symbols, length, d=64, heads=4, layers=2):
        super().__init__()
        self.emb = nn.Embedding(n_symbols, d)
        self.pos = nn.Embedding(length, d)
        layer = nn.TransformerEncoderLayer(d, heads, 128, dropout=0.0, batch_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.out = nn.Linear(d, n_symbols)

    def forward(self, ids):
        h = self.emb(ids) + self.pos(torch.arange(ids.shape[1]))
        return self.out(self.encoder(h))
