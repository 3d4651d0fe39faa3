import torch


class ConfusionMeter:
    def __init__(self, n):
        self.mat = torch.zeros(n, n, dtype=torch.long)

    def update(self, pred, gold):
        n = self.mat.size(0)
        self.mat += torch.bincount(gold * n + pred, minlength=n * n).view(n, n)

    def accuracy(self):
        return (self.mat.diag().sum() / self.mat.sum()).item()

    def macro_f1(self):
        tp = self.mat.diag().float()
        denom = self.mat.sum(0) + self.mat.sum(1)
        return (2 * tp / denom.clamp(min=1)).mean().item()
