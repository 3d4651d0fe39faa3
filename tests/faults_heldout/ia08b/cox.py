"""Proportional hazards with a neural risk score."""
import torch


def partial_likelihood(risk, time, event):
    """Negative log partial likelihood (Breslow), averaged over the observed events."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp_min(1.0)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good[earlier].sum() / earlier.sum()).item()
