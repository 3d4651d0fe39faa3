import torch
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        ce = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        p_t = torch.exp(-ce)
        return ((1 - p_t) ** self.gamma * ce).mean()


CRITERIA = {
    "bce": nn.BCEWithLogitsLoss,
    "focal": FocalLoss,
    "ce": nn.CrossEntropyLoss,
    "huber": nn.SmoothL1Loss,
}


def make_criterion(name):
    return CRITERIA[name]()
