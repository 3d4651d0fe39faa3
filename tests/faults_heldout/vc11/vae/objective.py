import torch
from torch.nn import functional as F


def elbo_terms(logits, target, mu, logvar):
    """Reconstruction and KL parts of the negative ELBO for Bernoulli pixels."""
    reconstruction = F.binary_cross_entropy_with_logits(logits, target)
    kl = -0.5 * torch.sum(1 + logvar - mu.square() - logvar.exp(), dim=1).mean()
    return reconstruction, kl
