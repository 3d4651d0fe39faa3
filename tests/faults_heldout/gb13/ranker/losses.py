import torch
import torch.nn.functional as F


def pairwise_logistic(pos_scores, neg_scores, l2_terms=(), l2=0.0):
    """Bayesian personalised ranking: logistic loss on the score gap of observed vs. sampled items."""
    gap = pos_scores - neg_scores
    loss = F.softplus(gap).mean()
    for t in l2_terms:
        loss = loss + l2 * t.pow(2).sum(-1).mean()
    return loss
