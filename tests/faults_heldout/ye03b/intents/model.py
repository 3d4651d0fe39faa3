import torch
from torch import nn

from .data import PAD


class IntentEncoder(nn.Module):
    def __init__(self, vocab, classes, max_len, dim, heads, layers, dropout):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(max_len, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(
            dim, heads, dim * 2, dropout, batch_first=True, norm_first=True
        )
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.cls = nn.Parameter(torch.randn(1, 1, dim) * 0.02)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, tokens):
        b, t = tokens.shape
        x = self.tok(tokens) + self.pos[:t]
        x = torch.cat([self.cls.expand(b, -1, -1), x], dim=1)
        keep = torch.ones(b, 1, dtype=torch.bool, device=tokens.device)
        mask = ~torch.cat([keep, tokens != PAD], dim=1)
        x = self.enc(x, src_key_padding_mask=mask)
        return self.head(self.norm(x[:, 0]))
