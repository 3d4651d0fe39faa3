import math

import torch


def lr_at(step, options):
    """Linear warm-up, then half a cosine down to the final rate."""
    if step < options.warmup:
        return options.peak_lr * (step + 1) / options.warmup
    t = (step - options.warmup) / (options.steps - options.warmup)
    return options.final_lr + 0.5 * (options.peak_lr - options.final_lr) * (1 + math.cos(math.pi * t))


def build_optimizer(model, step, options):
    decay = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 1e-5}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.SGD(groups, lr=lr_at(step, options), momentum=0.95)
