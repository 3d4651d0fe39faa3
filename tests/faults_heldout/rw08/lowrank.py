import torch
from torch import nn


class LowRankLinear(nn.Module):
    """A fixed linear layer plus a trainable update of rank `rank`."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.base.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.empty(base.out_features, rank))
        self.scale = alpha / rank
        self.reset_parameters()

    def reset_parameters(self):
        # the adapted layer has to start out identical to the released one
        nn.init.zeros_(self.down)
        nn.init.zeros_(self.up)

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.down.T) @ self.up.T


def adapt(module, rank, alpha):
    for name, child in list(module.named_children()):
        if isinstance(child, nn.Linear):
            setattr(module, name, LowRankLinear(child, rank, alpha))
        else:
            adapt(child, rank, alpha)
    return module
