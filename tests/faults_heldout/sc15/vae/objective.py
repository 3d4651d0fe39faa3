import torch
import torch.nn.functional as F


def elbo_terms(logits, x, mu, logvar):
    """Reconstruction and KL in nats per image."""
    recon = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return recon, kl


def kl_weight(epoch, warmup):
    return min(1.0, epoch / warmup)


@torch.no_grad()
def validate(model, x):
    model.eval()
    logits, mu, logvar = model(x)
    recon, kl = elbo_terms(logits, x, mu, logvar)
    active = (mu.var(0) > 0.02).sum().item()
    return {"recon": recon.item(), "kl": kl.item(), "neg_elbo": (recon + kl).item(), "active": active, "mu": mu}
