import math

import torch
from torch import nn

from vocab import PAD


class DateNormalizer(nn.Module):
    """Encoder-decoder for rewriting free-form dates as ISO dates."""

    def __init__(self, n_src, n_tgt, dim, heads, layers, max_len=48):
        super().__init__()
        self.dim = dim
        self.src = nn.Embedding(n_src, dim, padding_idx=PAD)
        self.tgt = nn.Embedding(n_tgt, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(max_len, dim) * 0.3)
        for e in (self.src, self.tgt):
            nn.init.normal_(e.weight, std=dim ** -0.5)
        self.core = nn.Transformer(dim, heads, layers, layers, dim * 3, dropout=0.05,
                                   batch_first=True, norm_first=True)
        self.out = nn.Linear(dim, n_tgt)

    def embed(self, table, ids):
        return table(ids) * math.sqrt(self.dim) + self.pos[: ids.size(1)]

    def forward(self, src, tgt):
        causal = torch.triu(torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool), 1)
        pad = src == PAD
        h = self.core(self.embed(self.src, src), self.embed(self.tgt, tgt), tgt_mask=causal,
                      src_key_padding_mask=pad, memory_key_padding_mask=pad,
                      tgt_key_padding_mask=tgt == PAD)
        return self.out(h)
