import torch
import torch.nn as nn
import torch.nn.functional as F


class Corpus:
    def __init__(self, text, chars=None):
        self.chars = chars or sorted(set(text))
        table = {c: i for i, c in enumerate(self.chars)}
        self.ids = torch.tensor([table[c] for c in text])

    def sample(self, batch, length, generator):
        start = torch.randint(len(self.ids) - length - 1, (batch,), generator=generator)
        grid = start[:, None] + torch.arange(length + 1)
        chunk = self.ids[grid]
        return chunk[:, :-1], chunk[:, 1:]


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 3 * d), nn.GELU(), nn.Linear(3 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class CharLM(nn.Module):
    def __init__(self, n_chars, d=64, heads=4, depth=2, context=48):
        super().__init__()
        self.tok = nn.Embedding(n_chars, d)
        self.pos = nn.Parameter(torch.randn(context, d) * 0.02)
        self.blocks = nn.Sequential(*[Block(d, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, n_chars)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.shape[1]]
        return self.head(self.norm(self.blocks(x)))
