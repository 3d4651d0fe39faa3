import torch


def corners(b):
    half = b[:, 2:] / 2
    return b[:, :2] - half, b[:, :2] + half


def iou(a, b):
    a0, a1 = corners(a)
    b0, b1 = corners(b)
    inter = (torch.minimum(a1, b1) - torch.maximum(a0, b0)).clamp(min=0).prod(1)
    return inter / (a[:, 2:].prod(1) + b[:, 2:].prod(1) - inter)


class Tally:
    """Hits, overlap and confusion over the batches of an evaluation."""

    def __init__(self, names):
        self.names = names
        self.confusion = torch.zeros(len(names), len(names), dtype=torch.long)
        self.overlaps = []

    def add(self, logits, boxes, batch):
        for t, p in zip(batch["cls"].tolist(), logits.argmax(1).tolist()):
            self.confusion[t, p] += 1
        self.overlaps.append(iou(boxes, batch["box"]))

    @property
    def accuracy(self):
        return self.confusion.diagonal().sum().item() / self.confusion.sum().item()

    @property
    def mean_iou(self):
        return torch.cat(self.overlaps).mean().item()

    def recall_at(self, threshold):
        return (torch.cat(self.overlaps) >= threshold).float().mean().item()

    def table(self):
        width = max(map(len, self.names))
        for name, row in zip(self.names, self.confusion.tolist()):
            yield f"{name:>{width}} " + " ".join(f"{v:4d}" for v in row)
