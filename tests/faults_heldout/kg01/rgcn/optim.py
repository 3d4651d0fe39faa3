import torch
from torch import nn


def make_optimizer(model, lr, weight_decay):
    """AdamW, no decay on biases and norms."""
    decay, plain = [], []
    for module in model.modules():
        if isinstance(module, nn.Linear):
            decay.append(module.weight)
            if module.bias is not None:
                plain.append(module.bias)
        elif isinstance(module, nn.LayerNorm):
            plain.extend(module.parameters())
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr)
