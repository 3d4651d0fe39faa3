import torch


def partial_likelihood(risk, time, event):
    """Negative Breslow partial log-likelihood per observed event."""
    order = time.argsort(descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    first = (time[:, None] < time[None, :]) & event[:, None].bool()
    better = risk[:, None] > risk[None, :]
    return (better & first).sum().item() / first.sum().item()
