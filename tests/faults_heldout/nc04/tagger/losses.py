import torch.nn as nn


class TokenLoss(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base

    def forward(self, logits, tags):
        return self.base(logits.flatten(0, 1), tags.flatten())


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, ignore_index=-100):
        super().__init__()
        self.gamma = gamma
        self.ce = nn.CrossEntropyLoss(ignore_index=ignore_index, reduction="none")
        self.ignore_index = ignore_index

    def forward(self, logits, target):
        ce = self.ce(logits, target)
        keep = target != self.ignore_index
        return ((1 - (-ce).exp()) ** self.gamma * ce)[keep].mean()


def build_loss(cfg):
    kwargs = {k: v for k, v in cfg.items() if k != "name"}
    base = {"cross_entropy": nn.CrossEntropyLoss, "focal": FocalLoss}[cfg["name"]](**kwargs)
    return TokenLoss(base)
