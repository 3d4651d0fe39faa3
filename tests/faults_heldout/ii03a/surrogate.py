import torch.nn as nn


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)
        self.act = nn.SiLU()

    def forward(self, h):
        return h + self.b(self.act(self.a(h)))


class Surrogate(nn.Module):
    """Predicts the (scaled) change of the state over one control step."""

    def __init__(self, n_in=8, n_out=6, width=96):
        super().__init__()
        self.enter = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(ResidualBlock(width), ResidualBlock(width))
        self.leave = nn.Linear(width, n_out)

    def forward(self, x):
        return self.leave(self.blocks(self.enter(x)))
