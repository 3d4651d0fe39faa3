import torch
from torch import nn


class Stage(nn.Module):
    """h -> h + f(h), or plain f(h)."""

    def __init__(self, width, skip):
        super().__init__()
        self.lin_in = nn.Linear(width, width)
        self.lin_out = nn.Linear(width, width)
        self.skip = skip

    def forward(self, h):
        f = torch.tanh(self.lin_out(torch.tanh(self.lin_in(h))))
        return h + f if self.skip else f


class EchoNet(nn.Module):
    def __init__(self, samples, width, stages, skip):
        super().__init__()
        self.entry = nn.Linear(samples, width)
        self.stages = nn.ModuleList(Stage(width, skip) for _ in range(stages))
        self.place = nn.Linear(width, 1)

    def forward(self, trace):
        h = torch.tanh(self.entry(trace))
        for stage in self.stages:
            h = stage(h)
        return self.place(h).squeeze(-1)
