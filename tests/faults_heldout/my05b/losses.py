import torch
from torch import nn
import torch.nn.functional as F


class SoftDice(nn.Module):
    def __init__(self, eps=1.0):
        super().__init__()
        self.eps = eps

    def forward(self, prob, mask):
        inter = (prob * mask).sum(dim=(1, 2, 3))
        total = prob.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3))
        return (1 - (2 * inter + self.eps) / (total + self.eps)).mean()


class TotalVariation(nn.Module):
    """Mean absolute difference between neighbouring pixels, keeps the contours smooth."""

    def forward(self, prob):
        return (prob[..., 1:, :] - prob[..., :-1, :]).abs().mean() + (prob[..., 1:] - prob[..., :-1]).abs().mean()


class SegmentationLoss(nn.Module):
    def __init__(self, dice, bce, smooth):
        super().__init__()
        self.weights = {"dice": dice, "bce": bce, "smooth": smooth}
        self.dice = SoftDice()
        self.tv = TotalVariation()

    def forward(self, logits, mask):
        prob = torch.sigmoid(logits)
        terms = {
            "dice": self.dice(prob, mask),
            "bce": F.binary_cross_entropy_with_logits(logits, mask),
            "smooth": self.tv(prob),
        }
        return sum(self.weights[k] * v for k, v in terms.items())
