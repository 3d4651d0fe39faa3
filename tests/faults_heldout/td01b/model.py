import torch
from torch import nn


class SessionTransformer(nn.Module):
    def __init__(self, n_items, max_len, dim, heads, layers, dropout, causal):
        super().__init__()
        self.causal = causal
        self.item = nn.Embedding(n_items + 1, dim, padding_idx=0)
        self.pos = nn.Embedding(max_len, dim)
        self.drop = nn.Dropout(dropout)
        block = nn.TransformerEncoderLayer(
            dim, heads, dim_feedforward=2 * dim, dropout=dropout,
            batch_first=True, norm_first=True,
        )
        self.blocks = nn.TransformerEncoder(block, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.out = nn.Linear(dim, n_items + 1)

    def forward(self, x):
        t = x.size(1)
        h = self.drop(self.item(x) + self.pos(torch.arange(t, device=x.device)))
        mask = None
        if self.causal:
            mask = torch.triu(torch.ones(t, t, dtype=torch.bool, device=x.device), diagonal=1)
        h = self.blocks(h, mask=mask, src_key_padding_mask=x.eq(0))
        return self.out(h)
