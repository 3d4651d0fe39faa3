import torch
from torch import nn


class SessionTransformer(nn.Module):
    """Next-item model; id 0 is padding, the output layer shares the item table."""

    def __init__(self, n_items, dim, heads, layers, dropout, max_len):
        super().__init__()
        self.items = nn.Embedding(n_items + 1, dim, padding_idx=0)
        self.place = nn.Embedding(max_len, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.drop = nn.Dropout(dropout)
        nn.init.normal_(self.items.weight, std=dim ** -0.5)
        nn.init.normal_(self.place.weight, std=0.02)
        with torch.no_grad():
            self.items.weight[0].zero_()

    def forward(self, ids):
        t = ids.shape[1]
        x = self.drop(self.items(ids) + self.place.weight[:t])
        causal = torch.triu(torch.ones(t, t, dtype=torch.bool), 1)
        h = self.encoder(x, mask=causal, src_key_padding_mask=ids == 0)
        return h @ self.items.weight[1:].T
