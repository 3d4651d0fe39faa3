import torch
from torch import nn


class IntentModel(nn.Module):
    def __init__(self, vocab, classes, dim=64, heads=4, layers=2, max_len=12):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=0)
        self.pos = nn.Embedding(max_len, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 128, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, classes)

    def forward(self, ids):
        pad = ids == 0
        x = self.tok(ids) + self.pos.weight[: ids.shape[1]]
        x = self.norm(self.encoder(x, src_key_padding_mask=pad))
        keep = (~pad).unsqueeze(-1)
        return self.out((x * keep).sum(1) / keep.sum(1))
