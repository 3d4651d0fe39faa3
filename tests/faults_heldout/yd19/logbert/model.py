import torch
import torch.nn as nn


class LogBert(nn.Module):
    def __init__(self, n_tokens, length, d=48, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(n_tokens, d)
        self.pos = nn.Parameter(torch.randn(1, length, d) * 0.02)
        block = nn.TransformerEncoderLayer(d, heads, 2 * d, dropout=0.05, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d)
        self.decoder = nn.Linear(d, n_tokens)
        nn.init.normal_(self.tok.weight, std=0.02)
        self.decoder.weight = self.tok.weight
        nn.init.zeros_(self.decoder.bias)

    def forward(self, x):
        return self.decoder(self.norm(self.encoder(self.tok(x) + self.pos)))
