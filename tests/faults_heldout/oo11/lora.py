import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        self.base = base
        self.scaling = alpha / rank
        self.A = nn.Parameter(torch.empty(rank, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + self.scaling * F.linear(F.linear(x, self.A), self.B)

    @torch.no_grad()
    def merged(self):
        lin = nn.Linear(self.base.in_features, self.base.out_features)
        lin.weight.copy_(self.base.weight + self.scaling * self.B @ self.A)
        lin.bias.copy_(self.base.bias)
        return lin


def inject(model, names, rank, alpha):
    model.requires_grad_(False)
    for mod in list(model.modules()):
        for child_name, child in list(mod.named_children()):
            if child_name in names and isinstance(child, nn.Linear):
                setattr(mod, child_name, LoRALinear(child, rank, alpha))
    return [p for p in model.parameters() if p.requires_grad]


def merge(model):
    for mod in list(model.modules()):
        for child_name, child in list(mod.named_children()):
            if isinstance(child, LoRALinear):
                setattr(mod, child_name, child.merged())
    return model
