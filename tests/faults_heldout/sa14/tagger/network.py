import torch
from torch import nn

from .vocab import CHARS, PAD, TAGS


class CharTagger(nn.Module):
    def __init__(self, dim=48, heads=4, layers=2, max_len=96, dropout=0.1):
        super().__init__()
        self.tok = nn.Embedding(len(CHARS) + 1, dim, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, dim)
        self.local = nn.Conv1d(dim, dim, kernel_size=5, padding=2)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.out = nn.Linear(dim, len(TAGS))
        nn.init.normal_(self.pos.weight, std=0.1)

    def forward(self, ids):
        position = torch.arange(ids.shape[1], device=ids.device)
        h = self.tok(ids)
        h = h + torch.nn.functional.gelu(self.local(h.transpose(1, 2))).transpose(1, 2) + self.pos(position)
        h = self.encoder(h, src_key_padding_mask=ids == PAD)
        return self.out(h)
