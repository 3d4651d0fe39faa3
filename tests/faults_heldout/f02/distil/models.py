from torch import nn

from .data import CLASSES, VOCAB


class Encoder(nn.Module):
    def __init__(self, dim=48, depth=4, heads=4):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.mark = nn.Embedding(3, dim)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)
            for _ in range(depth)
        )
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, CLASSES)

    def forward(self, x):
        h = self.tok(x[..., 0]) + self.mark(x[..., 1])
        for block in self.blocks:
            h = block(h)
        return self.head(self.norm(h).mean(1))
