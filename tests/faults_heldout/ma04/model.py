import torch
from torch import nn


class SelfAttention(nn.Module):
    """one head, residual; `mask` is True at real tokens"""

    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, h, mask=None):
        q, k, v = self.qkv(self.norm(h)).chunk(3, dim=-1)
        score = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        if mask is not None:
            score = score.masked_fill(~mask[:, None, :], float("-inf"))
        return h + score.softmax(-1) @ v


class StarModel(nn.Module):
    def __init__(self, n_words, n_stars, dim=32):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim)
        self.attend = SelfAttention(dim)
        self.head = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, n_stars))

    def forward(self, ids, lengths=None):
        mask = None
        if lengths is not None:
            mask = torch.arange(ids.shape[1])[None, :] < lengths[:, None]
        h = self.attend(self.embed(ids), mask)
        if mask is None:
            return self.head(h.mean(1))
        keep = mask.unsqueeze(-1).float()
        return self.head((h * keep).sum(1) / keep.sum(1))
