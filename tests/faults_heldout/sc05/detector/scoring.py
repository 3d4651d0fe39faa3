import torch


class FrameScores:
    """Confusion matrix over frames, with per-class F1."""

    def __init__(self, n_classes):
        self.n = n_classes
        self.cm = torch.zeros(n_classes, n_classes, dtype=torch.long)

    def add(self, pred, target):
        idx = target.reshape(-1) * self.n + pred.reshape(-1)
        self.cm += torch.bincount(idx, minlength=self.n**2).reshape(self.n, self.n)

    def accuracy(self):
        return (self.cm.diag().sum() / self.cm.sum()).item()

    def f1(self):
        tp = self.cm.diag().float()
        return (2 * tp / (self.cm.sum(0) + self.cm.sum(1)).clamp(min=1)).tolist()
