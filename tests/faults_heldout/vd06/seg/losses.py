import torch
import torch.nn.functional as F


def soft_dice(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    inter = (p * t).sum(1)
    return 1 - ((2 * inter + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def bce_dice(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target) + soft_dice(logits, target)


def counts(logits, target):
    p, t = logits > 0, target > 0.5
    return (p & t).sum().item(), (p | t).sum().item(), (p == t).sum().item(), t.numel()
