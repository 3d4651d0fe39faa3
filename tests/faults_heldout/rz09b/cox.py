import torch


def partial_likelihood(risk, months, event):
    """Negative log partial likelihood (Breslow), averaged over events."""
    order = torch.argsort(months, descending=True)
    risk, event = risk[order], event[order]
    at_risk = torch.logcumsumexp(risk, dim=0)
    return -((risk - at_risk) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] > 0)
    better = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (better[earlier].sum() / earlier.sum()).item()
