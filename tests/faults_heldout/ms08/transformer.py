import torch
from torch import nn

from logs import PAD


class LogTransformer(nn.Module):
    def __init__(self, n_events, n_classes, dim=48, heads=4, layers=2, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(n_events, dim, padding_idx=PAD)
        self.pos = nn.Parameter(0.1 * torch.randn(max_len, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, 96, dropout=0.05, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_classes)

    def forward(self, x):
        pad = x == PAD
        h = self.enc(self.tok(x) + self.pos[: x.size(1)], src_key_padding_mask=pad)
        keep = (~pad).unsqueeze(-1).float()
        return self.out(self.norm((h * keep).sum(1) / keep.sum(1)))
