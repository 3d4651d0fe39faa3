import torch
from torch import nn


class ReviewScorer(nn.Module):
    def __init__(self, n_words, dim=32, heads=4, layers=1, max_len=64, p=0.05):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.pos = nn.Embedding(max_len, dim)
        nn.init.normal_(self.pos.weight, std=0.1)
        self.local = nn.Conv1d(dim, dim, 3, padding=1)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=p, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, tokens):
        pad = tokens.eq(0)
        e = self.emb(tokens)
        e = e + self.local(e.transpose(1, 2)).transpose(1, 2)
        h = e + self.pos(torch.arange(tokens.shape[1]))
        h = self.norm(self.enc(h, src_key_padding_mask=pad))
        keep = (~pad).unsqueeze(-1).float()
        pooled = (h * keep).sum(1) / keep.sum(1)
        return self.head(pooled).squeeze(-1)
