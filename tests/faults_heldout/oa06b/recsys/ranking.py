import torch
import torch.nn.functional as F


def bpr(pos, neg):
    return -F.logsigmoid(pos - neg).mean()


def sample_negatives(target, n_items):
    offset = torch.randint(1, n_items, target.shape)
    return (target + offset) % n_items


@torch.no_grad()
def ndcg(model, history, target, k=10):
    model.eval()
    scores = model.scores(history)
    scores.scatter_(1, history, float("-inf"))
    own = scores.gather(1, target.unsqueeze(1))
    rank = (scores > own).sum(1)
    gain = 1.0 / torch.log2(rank.float() + 2.0)
    return torch.where(rank < k, gain, torch.zeros_like(gain)).mean().item()
