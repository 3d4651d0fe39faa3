import torch
from torch import nn


class FactorizationMachine(nn.Module):
    """Second-order FM over one-hot fields (Rendle, 2010)."""

    def __init__(self, field_sizes, k=6, scale=0.1):
        super().__init__()
        n = sum(field_sizes)
        offsets = torch.tensor([0] + list(field_sizes[:-1])).cumsum(0)
        self.register_buffer("offsets", offsets)
        self.bias = nn.Parameter(torch.zeros(1))
        self.w = nn.Embedding(n, 1)
        nn.init.zeros_(self.w.weight)
        self.v = (torch.randn(n, k) * scale).requires_grad_()

    def forward(self, fields):
        idx = fields + self.offsets
        first = self.w(idx).sum(dim=1).squeeze(-1)
        e = self.v[idx]                               # (B, F, k)
        second = 0.5 * (e.sum(1).pow(2) - e.pow(2).sum(1)).sum(-1)
        return self.bias + first + second
