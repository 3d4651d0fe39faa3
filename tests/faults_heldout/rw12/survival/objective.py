import torch


def negative_partial_likelihood(risk, months, event):
    """Breslow form of Cox's partial likelihood per observed event."""
    order = torch.argsort(months, descending=True)
    risk, event, months = risk[order], event[order], months[order]
    log_at_risk = torch.logcumsumexp(risk, 0)
    # tied times share the risk set of the last of them in this order
    last = torch.searchsorted(-months, -months, right=True) - 1
    return -((risk - log_at_risk[last]) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] > 0)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher[earlier].mean()).item()
