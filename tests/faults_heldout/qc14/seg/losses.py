import torch
import torch.nn as nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=1.0, alpha=0.6, reduction="mean"):
        super().__init__()
        self.gamma, self.alpha, self.reduction = gamma, alpha, reduction

    def forward(self, logits, target):
        ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        p_t = torch.exp(-ce)
        a_t = self.alpha * target + (1 - self.alpha) * (1 - target)
        loss = a_t * (1 - p_t) ** self.gamma * ce
        return getattr(loss, self.reduction)() if self.reduction != "none" else loss


LOSSES = {"focal": FocalLoss, "bce": nn.BCEWithLogitsLoss}


def build(spec):
    spec = dict(spec)
    return LOSSES[spec.pop("name")](**spec)
