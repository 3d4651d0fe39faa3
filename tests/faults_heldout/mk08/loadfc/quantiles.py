import torch


def pinball(pred, target, levels):
    """Mean pinball loss over the quantile levels (one output column per level)."""
    total = 0.0
    for k, q in enumerate(levels):
        err = target - pred[:, k : k + 1]
        total = total + torch.maximum(q * err, (q - 1) * err).mean()
    return total / len(levels)


def coverage(pred, target):
    return ((target >= pred[:, 0]) & (target <= pred[:, -1])).float().mean().item()
