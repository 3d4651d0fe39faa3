import torch


def ranks(scores, target, exclude):
    """1-based rank of the target among the items that are not excluded."""
    scores = scores.masked_fill(exclude, float("-inf"))
    own = scores.gather(1, target[:, None])
    return 1 + (scores > own).sum(1)


def hit_rate(r, k):
    return (r <= k).float().mean().item()


def ndcg(r, k):
    gain = 1 / torch.log2(r.float() + 1)
    return torch.where(r <= k, gain, torch.zeros_like(gain)).mean().item()
