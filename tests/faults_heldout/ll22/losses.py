import torch
import torch.nn.functional as F


def soft_dice(logits, target, eps=1.0):
    p = logits.sigmoid()
    inter = (p * target).sum((1, 2, 3))
    total = p.sum((1, 2, 3)) + target.sum((1, 2, 3))
    return (1 - (2 * inter + eps) / (total + eps)).mean()


def segmentation_loss(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target) + soft_dice(logits, target)


def iou(logits, target):
    """Mean over images of intersection / union of the thresholded mask."""
    p, t = logits > 0, target > 0.5
    inter = (p & t).sum((1, 2, 3)).float()
    union = (p | t).sum((1, 2, 3)).float()
    return torch.where(union > 0, inter / union.clamp(min=1), torch.ones_like(inter)).mean().item()
