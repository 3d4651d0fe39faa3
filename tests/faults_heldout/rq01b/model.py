import torch
from torch import nn

import vocab


class DateTransformer(nn.Module):
    def __init__(self, width, heads, layers, ff, dropout, max_len=64):
        super().__init__()
        self.tok = nn.Embedding(vocab.SIZE, width, padding_idx=vocab.PAD)
        self.src_pos = nn.Embedding(max_len, width)
        self.tgt_pos = nn.Embedding(max_len, width)
        self.core = nn.Transformer(width, heads, layers, layers, ff, dropout,
                                   batch_first=True, norm_first=True)
        self.out = nn.Linear(width, vocab.SIZE)

    def _embed(self, ids, pos):
        return self.tok(ids) + pos(torch.arange(ids.shape[1], device=ids.device))

    def encode(self, src):
        mask = src.eq(vocab.PAD)
        return self.core.encoder(self._embed(src, self.src_pos), src_key_padding_mask=mask), mask

    def decode(self, memory, mask, tgt):
        length = tgt.shape[1]
        causal = torch.triu(torch.ones(length, length, dtype=torch.bool, device=tgt.device), 1)
        h = self.core.decoder(self._embed(tgt, self.tgt_pos), memory, tgt_mask=causal,
                              memory_key_padding_mask=mask)
        return self.out(h)

    def forward(self, src, tgt):
        memory, mask = self.encode(src)
        return self.decode(memory, mask, tgt)

    @torch.no_grad()
    def greedy(self, src, steps=11):
        memory, mask = self.encode(src)
        ids = torch.full((src.shape[0], 1), vocab.BOS)
        for _ in range(steps):
            nxt = self.decode(memory, mask, ids)[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, nxt], 1)
        return ids[:, 1:]
