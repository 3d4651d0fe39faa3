import torch.nn as nn

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}


class ResidualBlock(nn.Module):
    def __init__(self, width, activation):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.fc1 = nn.Linear(width, width)
        self.fc2 = nn.Linear(width, width)
        self.act = ACTIVATIONS[activation]()

    def forward(self, x):
        h = self.fc1(self.norm(x))
        h = self.fc2(h)
        return x + h


class ArmNet(nn.Module):
    def __init__(self, n_in, n_out, width=64, depth=3, activation="relu"):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(*[ResidualBlock(width, activation) for _ in range(depth)])
        self.head = nn.Linear(width, n_out)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))
