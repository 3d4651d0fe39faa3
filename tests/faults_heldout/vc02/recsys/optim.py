import torch
from torch import nn


def build_optimizer(model: nn.Module, lr: float, weight_decay: float) -> torch.optim.Optimizer:
    """AdamW with weight decay on matrices only; biases and norm gains are left alone."""
    decay, no_decay = [], []
    for module in model.modules():
        if isinstance(module, nn.Linear):
            decay.append(module.weight)
            if module.bias is not None:
                no_decay.append(module.bias)
        elif isinstance(module, nn.LayerNorm):
            no_decay.extend(module.parameters(recurse=False))
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr)
