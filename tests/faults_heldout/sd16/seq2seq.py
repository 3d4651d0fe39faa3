import math

import torch
from torch import nn

from dates import PAD


class DateTransformer(nn.Module):
    def __init__(self, vocab, dim=48, heads=4, layers=1, ff=96, max_len=32, dropout=0.0):
        super().__init__()
        self.dim = dim
        self.tok = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, dim)
        self.core = nn.Transformer(dim, heads, layers, layers, ff, dropout, batch_first=True)
        self.out = nn.Linear(dim, vocab)
        for emb in (self.tok, self.pos):
            nn.init.normal_(emb.weight, std=dim ** -0.5)

    def _embed(self, ids):
        where = torch.arange(ids.size(1), device=ids.device)
        return (self.tok(ids) + self.pos(where)) * math.sqrt(self.dim)

    def forward(self, src, tgt):
        n = tgt.size(1)
        causal = torch.ones(n, n, dtype=torch.bool, device=tgt.device).triu(1)
        src_pad = src.eq(PAD)
        h = self.core(self._embed(src), self._embed(tgt), tgt_mask=causal,
                      src_key_padding_mask=src_pad, memory_key_padding_mask=src_pad,
                      tgt_key_padding_mask=tgt.eq(PAD))
        return self.out(h)
