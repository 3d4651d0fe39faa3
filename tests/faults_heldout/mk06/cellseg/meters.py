from collections import Counter


class OverlapMeter:
    """Pixel counts of one pass, summed over its batches."""

    def __init__(self, threshold=0.0, counts=Counter()):
        self.threshold = threshold
        self.counts = counts

    def update(self, logits, mask):
        pred = logits > self.threshold
        true = mask > 0.5
        self.counts["inter"] += (pred & true).sum().item()
        self.counts["union"] += (pred | true).sum().item()
        self.counts["pred"] += pred.sum().item()
        self.counts["true"] += true.sum().item()

    @property
    def iou(self):
        return self.counts["inter"] / max(self.counts["union"], 1)

    @property
    def dice(self):
        return 2 * self.counts["inter"] / max(self.counts["pred"] + self.counts["true"], 1)
