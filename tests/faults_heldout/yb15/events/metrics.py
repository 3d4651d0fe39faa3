import torch


class FrameScores:
    def __init__(self, threshold=0.5):
        self.threshold = threshold
        self.tp = self.fp = self.fn = 0

    def update(self, logits, target):
        pred = torch.sigmoid(logits) > self.threshold
        truth = target > 0.5
        self.tp += (pred & truth).sum().item()
        self.fp += (pred & ~truth).sum().item()
        self.fn += (~pred & truth).sum().item()

    @property
    def f1(self):
        denom = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / denom if denom else 0.0
