import math

import torch
from torch import nn

from dataset import PAD


class ReviewTransformer(nn.Module):
    def __init__(self, vocab_size, d_model=48, heads=4, layers=2, ff=96, dropout=0.1, max_len=64, n_classes=2):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, d_model, padding_idx=PAD)
        self.register_buffer("pos", self._sinusoid(max_len, d_model), persistent=False)
        layer = nn.TransformerEncoderLayer(d_model, heads, ff, dropout, batch_first=True, norm_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, n_classes)

    @staticmethod
    def _sinusoid(n, d):
        pos = torch.arange(n).unsqueeze(1)
        div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        pe = torch.zeros(n, d)
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        return pe

    def forward(self, ids):
        pad_mask = ids == PAD
        h = self.tok(ids) + self.pos[: ids.size(1)]
        h = self.encoder(h, src_key_padding_mask=pad_mask)
        return self.head(self.norm(h[:, 0]))
