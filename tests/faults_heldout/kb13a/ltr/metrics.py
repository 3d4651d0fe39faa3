import torch


def ndcg(scores, grades, k=5):
    disc = 1 / torch.log2(torch.arange(2, k + 2).float())
    gain = 2.0 ** grades.float() - 1
    got = gain.gather(1, scores.topk(k, 1).indices) @ disc
    best = gain.topk(k, 1).values @ disc
    return (got / best).mean().item()
