import torch
from torch import nn


class NextChar(nn.Module):
    def __init__(self, n, context, dim=48, heads=4, depth=2):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.pos = nn.Parameter(0.1 * torch.randn(context, dim))
        block = nn.TransformerEncoderLayer(dim, heads, 3 * dim, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(block, depth, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.out = nn.Linear(dim, n)
        # positions that a query may not look at
        self.register_buffer("hidden", torch.triu(torch.ones(context, context), diagonal=2).bool())

    def forward(self, ids):
        t = ids.shape[1]
        h = self.emb(ids) + self.pos[:t]
        return self.out(self.body(h, mask=self.hidden[:t, :t]))
