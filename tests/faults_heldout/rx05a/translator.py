import torch
import torch.nn as nn

from pairs import BOS, PAD


class Translator(nn.Module):
    def __init__(self, n_src, n_tgt, dim, heads, layers, max_len=40):
        super().__init__()
        self.src_emb = nn.Embedding(n_src, dim, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(n_tgt, dim, padding_idx=PAD)
        self.place = nn.Embedding(max_len, dim)
        enc = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)
        dec = nn.TransformerDecoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(enc, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(dec, layers, norm=nn.LayerNorm(dim))
        self.project = nn.Linear(dim, n_tgt)

    def _embed(self, table, ids):
        return table(ids) + self.place.weight[: ids.size(1)]

    def encode(self, src):
        blank = src == PAD
        return self.encoder(self._embed(self.src_emb, src), src_key_padding_mask=blank), blank

    def decode(self, tgt_in, memory, blank):
        causal = torch.ones(tgt_in.size(1), tgt_in.size(1), dtype=torch.bool).triu(1)
        h = self.decoder(
            self._embed(self.tgt_emb, tgt_in), memory, tgt_mask=causal, memory_key_padding_mask=blank
        )
        return self.project(h)

    def forward(self, src, tgt):
        memory, blank = self.encode(src)
        bos = torch.full_like(tgt[:, :1], BOS)
        return self.decode(torch.cat([bos, tgt[:, :-1]], 1), memory, blank)

    @torch.no_grad()
    def greedy(self, src, steps):
        memory, blank = self.encode(src)
        out = torch.full((src.size(0), 1), BOS)
        for _ in range(steps):
            nxt = self.decode(out, memory, blank)[:, -1].argmax(-1, keepdim=True)
            out = torch.cat([out, nxt], 1)
        return out[:, 1:]
