import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear layer plus a trainable low-rank update."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.empty(base.out_features, rank))
        self.scale = alpha / rank
        self.reset_parameters()

    def reset_parameters(self):
        # the adapted layer starts out equal to the base layer
        for p in (self.down, self.up):
            nn.init.zeros_(p)

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.down.T) @ self.up.T


def inject(module, rank=8, alpha=16):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, LoRALinear(child, rank, alpha))
        else:
            inject(child, rank, alpha)
    return module
