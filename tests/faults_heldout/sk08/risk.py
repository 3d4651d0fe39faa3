import torch


def cox_nll(risk, time, event):
    """Negative partial log-likelihood (Breslow), averaged over events in the batch."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp_min(1)


@torch.no_grad()
def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    score = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (score * earlier).sum().item() / earlier.sum().item()
