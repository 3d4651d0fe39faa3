import math

import torch
from torch import nn


class TicketEncoder(nn.Module):
    def __init__(self, vocab, n_classes, dim=48, heads=4, layers=2, max_len=40, dropout=0.2):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=0)
        self.pos = nn.Parameter(torch.randn(max_len, dim) * 0.02)
        block = nn.TransformerEncoderLayer(
            dim, heads, 2 * dim, dropout, activation="gelu", batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(block, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.classify = nn.Linear(dim, n_classes)
        self.scale = math.sqrt(dim)
        nn.init.normal_(self.tok.weight, std=1 / self.scale)

    def forward(self, input_ids, mask):
        x = self.tok(input_ids) * self.scale + self.pos[: input_ids.shape[1]]
        x = self.blocks(x, src_key_padding_mask=~mask)
        return self.classify(x[:, 0])
