import torch
from torch import nn


def param_groups(model, weight_decay):
    """Weight decay only where it makes sense: matrices yes, biases and norms no."""
    decay, no_decay = [], []
    for module in model.modules():
        for name, p in module.named_parameters(recurse=False):
            if name.endswith("bias") or isinstance(module, nn.LayerNorm):
                no_decay.append(p)
            elif isinstance(module, (nn.Linear, nn.Conv1d, nn.Conv2d)):
                decay.append(p)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]


def make_optimizer(model, lr, weight_decay):
    return torch.optim.AdamW(param_groups(model, weight_decay), lr=lr)
