from torch import nn


class Block(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.body = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Dropout(drop))

    def forward(self, x):
        return x + self.body(x)


class TabNet(nn.Module):
    def __init__(self, n_in, width=48, depth=3, drop=0.1, n_out=2):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(*[Block(width, drop) for _ in range(depth)])
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, n_out))

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))
