import numpy as np
import torch
from torch import nn


class MapNet(nn.Module):
    """Shaft power of a screw compressor from its operating point."""

    def __init__(self, n_in, widths):
        super().__init__()
        a, b, c = widths
        self.fc1 = nn.Linear(n_in, a)
        self.fc2 = nn.Linear(a, b)
        self.fc3 = nn.Linear(b, c)
        self.out = nn.Linear(c, 1)

    def forward(self, x):
        x = self.fc1(x).relu()
        x = self.fc2(x).relu()
        x = self.fc3(x).relu()
        return self.out(x).squeeze(1)


def read_weights(net, path):
    """Weights live in a plain .npz, one array per parameter."""
    with np.load(path) as arrays:
        names = {n for n, _ in net.named_parameters()}
        if set(arrays.files) != names:
            raise ValueError(f"{path}: arrays do not match the network")
        for name, p in net.named_parameters():
            p.data.copy_(torch.from_numpy(arrays[name]))


def write_weights(net, path):
    np.savez(path, **{n: p.detach().numpy() for n, p in net.named_parameters()})


class Shadow:
    """Exponential average of the weights, debiased while young."""

    def __init__(self, net, keep):
        self.keep, self.n = keep, 0
        self.avg = {n: torch.zeros_like(p) for n, p in net.named_parameters()}

    @torch.no_grad()
    def follow(self, net):
        self.n += 1
        for n, p in net.named_parameters():
            self.avg[n].mul_(self.keep).add_(p, alpha=1 - self.keep)

    @torch.no_grad()
    def onto(self, net):
        fix = 1 - self.keep ** self.n
        for n, p in net.named_parameters():
            p.copy_(self.avg[n] / fix)
