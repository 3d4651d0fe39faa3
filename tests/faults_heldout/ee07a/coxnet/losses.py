import torch


def cox_nll(risk, days, event):
    """Negative partial log-likelihood (Breslow), averaged over the events."""
    order = torch.argsort(days, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)
