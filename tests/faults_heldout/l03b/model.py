from torch import nn


class Trunk(nn.Module):
    def __init__(self, d_in=64, width=96, depth=3):
        super().__init__()
        dims = [d_in] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.act = nn.ReLU()

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x


class Recogniser(nn.Module):
    def __init__(self, trunk, width=96, classes=10):
        super().__init__()
        self.trunk = trunk
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.trunk(x))
