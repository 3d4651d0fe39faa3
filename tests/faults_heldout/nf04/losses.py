import torch
import torch.nn.functional as F


def soft_dice(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    return 1 - ((2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def bce_dice(logits, target, w=0.5):
    return (1 - w) * F.binary_cross_entropy_with_logits(logits, target) + w * soft_dice(logits, target)


@torch.no_grad()
def hard_dice(logits, target):
    p = (logits > 0).float().flatten(1)
    t = target.flatten(1)
    return (2 * (p * t).sum(1) / (p.sum(1) + t.sum(1)).clamp(min=1)).sum().item()
