import torch
from torch import nn


class NextTrack(nn.Module):
    """GRU encoder, dot product with the catalogue."""

    def __init__(self, n_items, dim=32):
        super().__init__()
        self.items = nn.Embedding(n_items + 1, dim, padding_idx=0)
        nn.init.normal_(self.items.weight, std=0.1)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.mix = nn.Linear(2 * dim, dim)

    def forward(self, hist):
        e = self.items(hist)
        h, _ = self.gru(e)
        u = self.mix(torch.cat([h[:, -1], e.sum(1) / (hist > 0).sum(1, keepdim=True).clamp(min=1)], dim=1))
        return u @ self.items.weight.T
