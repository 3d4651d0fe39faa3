import torch


@torch.no_grad()
def recall_at_k(scores, events, k):
    s = scores.masked_fill(events.seen, float("-inf"))
    top = torch.zeros_like(events.seen)
    top.scatter_(1, s.topk(k, dim=1).indices, True)
    return top[events.test[:, 0], events.test[:, 1]].float().mean().item()


@torch.no_grad()
def heldout_auc(scores, events, draws=30):
    g = torch.Generator().manual_seed(0)
    u, i = events.test.t()
    neg = events.negatives(u, draws, g)
    return (scores[u, i].unsqueeze(1) > scores[u.unsqueeze(1), neg]).float().mean().item()
