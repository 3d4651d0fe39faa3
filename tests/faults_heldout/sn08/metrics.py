import torch


class Confusion:
    """Pixel confusion matrix, rows are true classes."""

    def __init__(self, n):
        self.n = n
        self.mat = torch.zeros(n, n)

    def add(self, pred, true):
        k = true.flatten() * self.n + pred.flatten()
        self.mat += torch.bincount(k, minlength=self.n ** 2).view(self.n, self.n)

    def mean_iou(self):
        inter = self.mat.diag()
        union = self.mat.sum(0) + self.mat.sum(1) - inter
        return (inter / union.clamp(min=1)).mean().item()
