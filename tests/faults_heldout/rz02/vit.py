import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1 = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.n2 = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 3 * dim), nn.GELU(), nn.Linear(3 * dim, dim))

    def forward(self, x):
        q = self.n1(x)
        x = x + self.attn(q, q, q, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class PatchClassifier(nn.Module):
    def __init__(self, dim, heads, depth, patch, side=8, classes=10):
        super().__init__()
        self.patch = patch
        n = (side // patch) ** 2
        self.embed = nn.Linear(patch * patch, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(1, n, dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, classes)

    def forward(self, img):
        p = self.patch
        b, h, w = img.shape
        tok = img.view(b, h // p, p, w // p, p).permute(0, 1, 3, 2, 4).reshape(b, -1, p * p)
        x = self.embed(tok) + self.pos
        for blk in self.blocks:
            x = blk(x)
        return self.out(self.norm(x).mean(1))
