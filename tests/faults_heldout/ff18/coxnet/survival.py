import torch


def cox_loss(risk, time, event):
    """Negative partial log likelihood (Breslow), averaged over the events of the batch."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()
