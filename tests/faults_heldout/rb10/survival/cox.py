import torch


def partial_likelihood(risk, months, died):
    """Negative log partial likelihood (Breslow) per observed death."""
    order = torch.argsort(months, descending=True)
    risk, died = risk[order], died[order]
    at_risk = torch.logcumsumexp(risk, dim=0)
    return -((risk - at_risk) * died).sum() / died.sum().clamp_min(1)


def concordance(risk, months, died):
    earlier = (months[:, None] < months[None, :]) & (died[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()
