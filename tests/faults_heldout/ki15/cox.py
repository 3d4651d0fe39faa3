import torch


def partial_likelihood(score, months, event):
    """Cox partial likelihood (Breslow), averaged over the observed events of the batch."""
    order = torch.argsort(months, descending=True)
    score, event = score[order], event[order]
    log_risk = torch.logcumsumexp(score, 0)
    return ((score - log_risk) * event).sum() / event.sum().clamp(min=1)


def concordance(score, months, event):
    earlier = (months[:, None] < months[None]) & (event[:, None] == 1)
    return (score[:, None] > score[None])[earlier].float().mean().item()
