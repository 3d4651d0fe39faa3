import torch


def cox_loss(risk, time, event):
    """Negative partial log likelihood (Breslow) of one batch, per event."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


@torch.no_grad()
def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & event.bool()[:, None]
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()
