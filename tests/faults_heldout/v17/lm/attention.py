import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads, context):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("allowed", torch.triu(torch.ones(context, context)).bool(), persistent=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        score = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        score = score.masked_fill(~self.allowed[:T, :T], float("-inf"))
        y = score.softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))
