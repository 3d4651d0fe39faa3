import torch
import torch.nn.functional as F


def elbo(logits, x, mu, logvar):
    """Negative ELBO: Bernoulli likelihood on grey values plus KL to the standard normal."""
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    return rec + kl, rec, kl
