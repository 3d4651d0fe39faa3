import torch


class ConfusionMatrix:
    """Counts (true class, predicted class) pairs of pixels."""

    def __init__(self, n_classes):
        self.n = n_classes
        self.reset()

    def reset(self):
        self.counts = torch.zeros(self.n, self.n, dtype=torch.long)

    def update(self, target, pred):
        for t, p in zip(target.flatten(), pred.flatten()):
            self.counts[t, p] += 1

    def iou(self):
        inter = self.counts.diagonal().float()
        union = self.counts.sum(0) + self.counts.sum(1) - self.counts.diagonal()
        return inter / union.clamp(min=1)

    def pixel_accuracy(self):
        return (self.counts.diagonal().sum() / self.counts.sum()).item()
