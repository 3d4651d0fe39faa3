import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)

    def forward(self, h):
        return h + self.b(nn.functional.silu(self.a(h)))


class Dynamics(nn.Module):
    """Angular accelerations of a damped double pendulum from its state and motor torque."""

    def __init__(self, n_in, n_out, width, blocks):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.out = nn.Linear(width, n_out)

    def forward(self, x):
        h = nn.functional.silu(self.inp(x))
        for block in self.blocks:
            h = block(h)
        return self.out(nn.functional.silu(h))
