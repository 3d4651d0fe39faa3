import torch
from torch import nn

from .data import PAD, VOCAB


class Classifier(nn.Module):
    def __init__(self, dim=48, heads=4, layers=2, classes=3, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(max_len, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.05, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x, pad):
        h = self.tok(x) + self.pos[: x.shape[1]]
        h = self.enc(h, src_key_padding_mask=pad)
        return self.head(self.norm(h[:, 0]))
