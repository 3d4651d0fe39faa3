import torch
from torch import nn


class SessionTransformer(nn.Module):
    def __init__(self, n_items, max_len, dim=48, heads=2, layers=1, dropout=0.2):
        super().__init__()
        self.item = nn.Embedding(n_items + 1, dim, padding_idx=0)
        self.pos = nn.Embedding(max_len, dim)
        block = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_items + 1)

    def forward(self, x):
        length = x.shape[1]
        h = self.item(x) + self.pos(torch.arange(length))
        causal = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
        h = self.norm(self.enc(h, mask=causal, src_key_padding_mask=x == 0))
        return self.out(h)
