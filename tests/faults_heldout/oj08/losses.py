import torch
import torch.nn.functional as F


def elbo_terms(x, recon, mu, logvar):
    """reconstruction and KL parts of the negative ELBO"""
    rec = F.binary_cross_entropy(recon, x)
    kl = -0.5 * torch.sum(1 + logvar - mu ** 2 - logvar.exp(), dim=1).mean()
    return rec, kl
