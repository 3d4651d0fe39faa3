import torch
import torch.nn.functional as F


def gaussian_kl(mu, logvar):
    """KL(q(z|x) || N(0, 1)) per image."""
    return -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1)


def vae_loss(recon, x, mu, logvar, kl_weight=1.0):
    rec = F.mse_loss(recon, x)
    kl = gaussian_kl(mu, logvar).mean()
    return rec + kl_weight * kl, rec, kl
