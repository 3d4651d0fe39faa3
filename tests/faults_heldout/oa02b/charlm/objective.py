import math

import torch

IGNORE = -100


def summed_nll(logits, labels):
    """Sum of the negative log-likelihoods in nats, and the number of positions counted."""
    keep = labels != IGNORE
    logp = torch.log_softmax(logits, dim=-1)
    picked = logp.gather(-1, labels.clamp_min(0).unsqueeze(-1)).squeeze(-1)
    return -(picked * keep).sum(), keep.sum()


def loss_fn(logits, labels):
    nll, n = summed_nll(logits, labels)
    return nll / n


@torch.no_grad()
def bits_per_char(model, loader):
    model.eval()
    nats, chars = 0.0, 0
    for ids, labels in loader:
        nll, n = summed_nll(model(ids), labels)
        nats += nll.item()
        chars += n.item()
    return nats / chars / math.log(2)
