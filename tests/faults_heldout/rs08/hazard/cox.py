import torch


def cox_nll(score, time, event):
    """Negative log partial likelihood (Breslow), averaged over the events."""
    order = torch.argsort(time, descending=True)
    score, event = score[order], event[order]
    log_risk = torch.logcumsumexp(score, 0)
    return -((score - log_risk) * event).sum() / event.sum().clamp(min=1.0)


def concordance(score, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    agree = (score[:, None] > score[None, :]) & earlier
    return agree.sum().item() / earlier.sum().item()
