import torch
import torch.nn.functional as F


def soft_dice(prob, mask, eps=1.0):
    inter = (prob * mask).sum((1, 2, 3))
    return (2 * inter + eps) / (prob.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)


def dice_bce(logits, mask):
    bce = F.binary_cross_entropy_with_logits(logits, mask)
    return bce + (1 - soft_dice(torch.sigmoid(logits), mask).mean())


def dice_score(logits, mask):
    return soft_dice((logits > 0).float(), mask, eps=1e-6)
