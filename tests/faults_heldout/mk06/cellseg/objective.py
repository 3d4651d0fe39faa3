import torch
from torch.nn import functional as F


def bce_dice(logits, mask, weight=0.5):
    bce = F.binary_cross_entropy_with_logits(logits, mask)
    p = torch.sigmoid(logits)
    inter = (p * mask).sum((1, 2, 3))
    dice = (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)
    return bce + weight * (1 - dice.mean())
