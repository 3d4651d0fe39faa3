import torch
from torch import nn


def build_optimizer(model, lr, weight_decay):
    """AdamW with weight decay on weight matrices only."""
    decay, no_decay = [], []
    for module in model.modules():
        if isinstance(module, nn.Linear):
            decay.append(module.weight)
            if module.bias is not None:
                no_decay.append(module.bias)
        elif isinstance(module, (nn.LayerNorm, nn.BatchNorm1d)):
            no_decay.extend(module.parameters())
    return torch.optim.AdamW(
        [
            {"params": decay, "weight_decay": weight_decay},
            {"params": no_decay, "weight_decay": 0.0},
        ],
        lr=lr,
    )
