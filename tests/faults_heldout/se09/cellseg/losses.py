import torch
import torch.nn.functional as F


def soft_dice(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    inter = (p * t).sum(1)
    return 1 - ((2 * inter + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def seg_loss(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target) + 0.5 * soft_dice(logits, target)


class IoU:
    """Accumulates intersection and union over the whole data set."""

    def __init__(self):
        self.inter = self.union = 0.0

    def update(self, logits, target):
        p, t = logits > 0, target > 0.5
        self.inter += (p & t).sum().item()
        self.union += (p | t).sum().item()

    def value(self):
        return self.inter / max(self.union, 1)
