import torch


def negative_elbo(logits, x, q):
    # Bernoulli log likelihood written with logits, summed over the pixels
    rec = (torch.clamp(logits, min=0) - logits * x + torch.log1p(torch.exp(-logits.abs()))).sum(dim=1)
    kl = 0.5 * (q.mean ** 2 + q.variance - 1.0 - 2.0 * q.stddev.log()).sum(dim=1)
    return rec.mean() + kl.mean(), rec.mean().detach(), kl.mean().detach()
