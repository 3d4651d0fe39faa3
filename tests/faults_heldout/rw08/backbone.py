from torch import nn


class Backbone(nn.Module):
    """Feature extractor of the print-digit reader (released as reader.pt)."""

    def __init__(self, width=96, depth=3):
        super().__init__()
        self.stem = nn.Linear(64, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.act = nn.GELU()

    def forward(self, x):
        x = self.act(self.stem(x))
        for layer in self.layers:
            x = x + self.act(layer(x))
        return x
