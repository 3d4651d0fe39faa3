import torch


def cox_loss(risk, months, event):
    """Negative partial log-likelihood (Breslow), averaged over events."""
    order = torch.argsort(months, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1.0)


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    wins = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (wins[earlier].sum() / earlier.sum()).item()
