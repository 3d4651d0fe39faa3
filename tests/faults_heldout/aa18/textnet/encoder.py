import math

import torch
from torch import nn


def sinusoid(n, dim):
    pos = torch.arange(n)[:, None] * torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    return torch.stack([pos.sin(), pos.cos()], -1).flatten(1)


class TextEncoder(nn.Module):
    def __init__(self, vocab_size, n_classes, dim=32, heads=4, layers=1, max_len=128, dropout=0.1):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim)
        self.register_buffer("pos", 0.3 * sinusoid(max_len, dim), persistent=False)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.classifier = nn.Linear(dim, n_classes)

    def forward(self, ids):
        pad = ids == 0
        h = self.embed(ids) + self.pos[: ids.size(1)]
        h = self.layers(h, src_key_padding_mask=pad)
        h = h.masked_fill(pad.unsqueeze(-1), 0.0)
        return self.classifier(h.sum(1) / (~pad).sum(1, keepdim=True))
