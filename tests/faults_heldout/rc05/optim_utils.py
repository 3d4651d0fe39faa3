import torch
from torch import nn


def build_optimizer(model, lr, weight_decay):
    """AdamW with weight decay on matrices only, not on biases and norms."""
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        group = decay if p.ndim > 1 else no_decay
        group.append(nn.Parameter(p.data))
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
    n = sum(t.numel() for g in groups for t in g["params"])
    print(f"optimizing {n} weights in {len(decay)}+{len(no_decay)} tensors")
    return torch.optim.AdamW(groups, lr=lr)
