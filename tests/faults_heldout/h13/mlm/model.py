import torch
from torch import nn

from .data import PAD


class Encoder(nn.Module):
    def __init__(self, vocab, dim=64, heads=4, layers=2, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, dim)
        nn.init.normal_(self.tok.weight, std=0.05)
        nn.init.normal_(self.pos.weight, std=0.05)
        with torch.no_grad():
            self.tok.weight[PAD].zero_()
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout=0.1, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.bias = nn.Parameter(torch.zeros(vocab))

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        h = self.blocks(x, src_key_padding_mask=ids == PAD)
        return h @ self.tok.weight.t() + self.bias
