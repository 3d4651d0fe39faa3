import torch
from torch import nn


class TinyViT(nn.Module):
    """8x8 image -> 16 patches of 2x2 -> transformer encoder."""

    def __init__(self, dim=48, depth=2, heads=4, classes=10):
        super().__init__()
        self.patch = nn.Linear(4, dim)
        self.pos = nn.Parameter(torch.randn(1, 16, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.1, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, img):
        b = img.shape[0]
        patches = img.view(b, 4, 2, 4, 2).permute(0, 1, 3, 2, 4).reshape(b, 16, 4)
        h = self.encoder(self.patch(patches) + self.pos)
        return self.head(self.norm(h.mean(1)))
