import torch.nn.functional as F


def terms(recon, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec, kl
