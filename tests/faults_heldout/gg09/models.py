import math

import torch
from torch import nn

from registry import MODELS, SCHEDULES, register
from text import BOS, EOS, PAD


@register(SCHEDULES, "warmup_linear")
def warmup_linear(warmup, total):
    return lambda step: min((step + 1) / warmup, max(0.02, (total - step) / (total - warmup)))


@register(MODELS, "transformer")
class DateTransformer(nn.Module):
    def __init__(self, n_src, n_tgt, d=64, heads=4, layers=1, ff=128, dropout=0.05, max_len=40):
        super().__init__()
        self.d = d
        self.src_emb = nn.Embedding(n_src, d, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(n_tgt, d, padding_idx=PAD)
        self.src_pos = nn.Parameter(torch.randn(max_len, d) * 0.1)
        self.tgt_pos = nn.Parameter(torch.randn(max_len, d) * 0.1)
        self.local = nn.Conv1d(d, d, 3, padding=1)
        self.core = nn.Transformer(d, heads, layers, layers, ff, dropout, batch_first=True, norm_first=True)
        self.out = nn.Linear(d, n_tgt)
        for e in (self.src_emb, self.tgt_emb):
            nn.init.normal_(e.weight, std=d ** -0.5)

    def _embed(self, emb, pos, ids):
        return emb(ids) * math.sqrt(self.d) + pos[: ids.shape[1]]

    def encode(self, src):
        mask = src == PAD
        h = self._embed(self.src_emb, self.src_pos, src).masked_fill(mask[..., None], 0.0)
        h = h + self.local(h.transpose(1, 2)).transpose(1, 2)
        return self.core.encoder(h, src_key_padding_mask=mask), mask

    def decode(self, tgt, memory, mem_mask):
        n = tgt.shape[1]
        causal = torch.triu(torch.ones(n, n, dtype=torch.bool, device=tgt.device), 1)
        h = self.core.decoder(self._embed(self.tgt_emb, self.tgt_pos, tgt), memory, tgt_mask=causal,
                              memory_key_padding_mask=mem_mask)
        return self.out(h)

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))

    @torch.no_grad()
    def greedy(self, src, limit=12):
        memory, mask = self.encode(src)
        y = torch.full((len(src), 1), BOS)
        done = torch.zeros(len(src), dtype=torch.bool)
        for _ in range(limit):
            nxt = self.decode(y, memory, mask)[:, -1].argmax(-1)
            nxt = torch.where(done, torch.full_like(nxt, PAD), nxt)
            y = torch.cat([y, nxt[:, None]], 1)
            done |= nxt == EOS
            if done.all():
                break
        return y[:, 1:]
