import torch


def average_precision(score, target):
    hits = target[score.argsort(descending=True)]
    precision = hits.cumsum(0) / torch.arange(1, len(hits) + 1)
    return ((precision * hits).sum() / hits.sum()).item()


def roc_auc(score, target):
    pos, neg = score[target == 1], score[target == 0]
    return (pos[:, None] > neg[None]).float().mean().item()
