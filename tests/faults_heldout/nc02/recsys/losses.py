import torch.nn.functional as F

from .registry import LOSSES


@LOSSES.register("bpr")
def bpr(scores):
    """First column holds the positive item, the others sampled negatives."""
    return F.softplus(scores[:, 1:] - scores[:, :1]).mean()


@LOSSES.register("sampled_softmax")
def sampled_softmax(scores):
    return (scores.logsumexp(dim=1) - scores[:, 0]).mean()
