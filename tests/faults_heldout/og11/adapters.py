import torch
from torch import nn


class LowRank(nn.Module):
    """y = base(x) + (alpha / r) * x A^T B^T with the base left as it is."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.scaling = alpha / rank
        self.lora_a = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_b = nn.Parameter(torch.empty(base.out_features, rank))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.zeros_(self.lora_a)
        nn.init.zeros_(self.lora_b)

    def forward(self, x):
        return self.base(x) + self.scaling * (x @ self.lora_a.T @ self.lora_b.T)


def attach(model, names, rank, alpha):
    model.requires_grad_(False)
    for name in names:
        setattr(model, name, LowRank(getattr(model, name), rank, alpha))
    return [p for p in model.parameters() if p.requires_grad]
