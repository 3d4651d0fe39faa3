import torch
from torch import nn


class DynamicsNet(nn.Module):
    """Joint state and torque -> joint accelerations, residual blocks."""

    def __init__(self, inputs, outputs, width, depth):
        super().__init__()
        self.inp = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
            for _ in range(depth))
        self.out = nn.Linear(width, outputs)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h)


def from_release(path):
    """Rebuild the published network, in the type in which it was published."""
    release = torch.load(path, weights_only=True)
    net = DynamicsNet(**release["arch"])
    net.to(release["state"]["inp.weight"].dtype)
    net.load_state_dict(release["state"])
    return net
