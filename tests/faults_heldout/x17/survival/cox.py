import torch


def cox_objective(score, time, observed):
    """Partial likelihood of the batch (Breslow), averaged over the observed events.

    Sorted by falling time, the risk set of a subject is everyone up to its own row.
    """
    order = torch.argsort(time, descending=True)
    score, observed = score[order], observed[order]
    log_risk_set = torch.logcumsumexp(score, dim=0)
    per_event = (score - log_risk_set) * observed
    return per_event.sum() / observed.sum().clamp(min=1.0)


def concordance(score, time, observed):
    """Share of comparable pairs in which the earlier event has the higher score."""
    earlier = (time[:, None] < time[None]) & (observed[:, None] > 0)
    better = (score[:, None] > score[None]).float() + 0.5 * (score[:, None] == score[None]).float()
    return (better[earlier].mean()).item()
