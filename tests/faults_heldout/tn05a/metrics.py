import torch


class FindingF1:
    """Counts per finding over batches, then F1 per finding and averages."""

    def __init__(self, names, threshold=0.5):
        self.names, self.threshold = names, threshold
        self.tp = torch.zeros(len(names))
        self.fp = torch.zeros(len(names))
        self.fn = torch.zeros(len(names))

    def update(self, logits, target):
        pred = torch.sigmoid(logits) > self.threshold
        target = target > 0.5
        self.tp += (pred & target).sum(0)
        self.fp += (pred & ~target).sum(0)
        self.fn += (~pred & target).sum(0)

    def per_finding(self):
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn).clamp(min=1)

    def macro(self):
        return self.per_finding().mean().item()

    def micro(self):
        return (2 * self.tp.sum() / (2 * self.tp.sum() + self.fp.sum() + self.fn.sum())).item()
