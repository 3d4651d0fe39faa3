import torch
from torch import nn

from tagger.attention import SelfAttention


def sinusoid(length, dim):
    t = torch.arange(length)[:, None] * 3.0 ** -torch.arange(0, dim, 2).mul(6 / dim)
    return torch.stack([t.sin(), t.cos()], -1).flatten(1)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = SelfAttention(dim, heads, dropout=0.05)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.ff(self.n2(x))


class Tagger(nn.Module):
    def __init__(self, vocab, tags, length, dim=48, heads=4, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.register_buffer("pos", sinusoid(length, dim))
        self.blocks = nn.Sequential(*[Block(dim, heads) for _ in range(depth)])
        self.out = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, tags))

    def forward(self, ids):
        return self.out(self.blocks(self.tok(ids) + self.pos[: ids.shape[1]]))
