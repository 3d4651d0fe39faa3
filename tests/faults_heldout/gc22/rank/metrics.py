import torch


def ndcg(scores, grade, k=10):
    disc = 1 / torch.log2(torch.arange(k) + 2.0)
    gain = 2.0 ** grade - 1
    top = gain.gather(1, scores.topk(k, 1).indices)
    best = gain.topk(k, 1).values
    return ((top * disc).sum(1) / (best * disc).sum(1)).mean().item()
