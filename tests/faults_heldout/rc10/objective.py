import torch
import torch.nn.functional as F


def elbo_loss(logits, x, mu, logvar):
    """Negative ELBO: reconstruction of the pixels and KL to the unit Gaussian."""
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return recon + kl, recon, kl
