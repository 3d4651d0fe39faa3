from .data import IGNORE


class TagScore:
    """Token accuracy and micro-F1 over the non-O tags."""

    def __init__(self, outside=0):
        self.outside = outside
        self.right = self.total = self.tp = self.pred = self.gold = 0

    def update(self, pred, tags):
        keep = tags != IGNORE
        p, t = pred[keep], tags[keep]
        self.right += (p == t).sum().item()
        self.total += t.numel()
        self.tp += ((p == t) & (t != self.outside)).sum().item()
        self.pred += (p != self.outside).sum().item()
        self.gold += (t != self.outside).sum().item()

    @property
    def accuracy(self):
        return self.right / max(self.total, 1)

    @property
    def f1(self):
        return 2 * self.tp / max(self.pred + self.gold, 1)
