import torch
import torch.nn as nn
import torch.nn.functional as F


class Gated(nn.Module):
    def __init__(self, width, p):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.a = nn.Linear(width, 2 * width)
        self.b = nn.Linear(width, width)
        self.p = p

    def forward(self, x):
        u, g = self.a(self.norm(x)).chunk(2, dim=-1)
        h = F.dropout(u * torch.sigmoid(g), self.p)
        return x + self.b(h)


class SoilNet(nn.Module):
    def __init__(self, n_bands, n_classes, width=32, depth=3, p=0.5):
        super().__init__()
        self.stem = nn.Linear(n_bands, width)
        self.blocks = nn.Sequential(*[Gated(width, p) for _ in range(depth)])
        self.p = p
        self.head = nn.Linear(width, n_classes)

    def forward(self, x):
        h = F.dropout(F.relu(self.stem(x)), 0.2)
        h = self.blocks(h)
        h = F.dropout(h, self.p)
        return self.head(h)
