import torch
import torch.nn.functional as F


def soft_dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    m = mask.flatten(1)
    return (1 - (2 * (p * m).sum(1) + eps) / (p.sum(1) + m.sum(1) + eps)).mean()


def seg_loss(logits, mask, dice_weight=0.5):
    return (1 - dice_weight) * F.binary_cross_entropy_with_logits(logits, mask) + dice_weight * soft_dice(logits, mask)


@torch.no_grad()
def iou(logits, mask):
    p, m = logits > 0, mask > 0.5
    return ((p & m).flatten(1).sum(1) / (p | m).flatten(1).sum(1).clamp(min=1)).sum().item()
