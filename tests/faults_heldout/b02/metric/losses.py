import torch
import torch.nn.functional as F


def pairwise(a, b):
    # embeddings are l2-normalised, so the inner product is all we need
    return (a * b).sum(1)


class TripletLoss:
    def __init__(self, margin=0.3):
        self.margin = margin

    def __call__(self, anchor, positive, negative):
        ap = pairwise(anchor, positive)
        an = pairwise(anchor, negative)
        losses = F.relu(ap - an + self.margin)
        active = (losses > 0).float().mean()
        return losses.mean(), active
