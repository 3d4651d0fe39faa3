import torch


def supcon(z, labels, temperature):
    """Supervised contrastive loss, positives and negatives from the batch itself."""
    eye = torch.eye(len(z), dtype=torch.bool, device=z.device)
    sim = (z @ z.T / temperature).masked_fill(eye, -1e9)
    logp = sim - sim.logsumexp(dim=1, keepdim=True)
    pos = (labels[:, None] == labels[None, :]) & ~eye
    n = pos.sum(1)
    has = n > 0
    per = -(logp * pos).sum(1)[has] / n[has]
    return per.mean()
