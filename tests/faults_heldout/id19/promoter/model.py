import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d, heads, drop):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d), nn.Dropout(drop))

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class RegionNet(nn.Module):
    def __init__(self, length=50, d=24, depth=1, heads=2, classes=3, drop=0.2):
        super().__init__()
        self.emb = nn.Embedding(4, 16)
        self.motif = nn.Conv1d(16, d, 7, padding=3)
        self.place = nn.Parameter(0.05 * torch.randn(length, d))
        self.blocks = nn.ModuleList(Block(d, heads, drop) for _ in range(depth))
        self.norm = nn.LayerNorm(d)
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(2 * d, classes)

    def forward(self, s):
        x = torch.relu(self.motif(self.emb(s).transpose(1, 2))).transpose(1, 2) + self.place
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False) if self.training else b(x)
        x = self.norm(x)
        return self.out(self.drop(torch.cat([x.mean(1), x.amax(1)], 1)))
