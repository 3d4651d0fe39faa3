import torch


def neg_partial_log_likelihood(risk, time, event):
    """Breslow form; averaged over the observed events."""
    order = time.argsort(descending=True)
    risk, event = risk[order], event[order]
    at_risk = risk.logcumsumexp(dim=0)
    return -((risk - at_risk) * event).sum() / event.sum()


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher * earlier).sum().item() / earlier.sum().item()
