import torch
from torch import nn

from .attention import SelfAttention


class Block(nn.Module):
    def __init__(self, dim, heads, context):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads, context)
        self.mlp = nn.Sequential(nn.Linear(dim, 3 * dim), nn.GELU(), nn.Linear(3 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class CharModel(nn.Module):
    def __init__(self, vocab, dim=48, heads=4, depth=2, context=32):
        super().__init__()
        self.context = context
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(context, dim))
        self.blocks = nn.Sequential(*[Block(dim, heads, context) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, idx):
        h = self.tok(idx) + self.pos[: idx.shape[1]]
        return self.out(self.norm(self.blocks(h)))
