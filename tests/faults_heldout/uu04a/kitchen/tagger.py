import torch
from torch import nn


class AttentivePool(nn.Module):
    """Weights every word by a learned query, ignoring the filling."""

    def __init__(self, dim):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim) * dim ** -0.5)

    def forward(self, x, mask):
        weight = (x @ self.query).masked_fill(~mask, float("-inf")).softmax(dim=1)
        return torch.einsum("bl,bld->bd", weight, x)


class CuisineTagger(nn.Module):
    def __init__(self, n_tokens, n_classes, dim=48):
        super().__init__()
        self.embed = nn.Embedding(n_tokens, dim, padding_idx=0)
        self.embed_drop = nn.Dropout(0.3)
        self.local = nn.Conv1d(dim, dim, 3, padding=1)
        self.pool = AttentivePool(dim)
        self.out = nn.Linear(2 * dim, n_classes)

    def forward(self, ids):
        mask = ids != 0
        x = self.embed_drop(self.embed(ids))
        y = torch.tanh(self.local(x.transpose(1, 2))).transpose(1, 2) * mask.unsqueeze(-1)
        mean = (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.out(torch.cat([self.pool(y, mask), mean], dim=1))
