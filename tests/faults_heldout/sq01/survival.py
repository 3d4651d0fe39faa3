import torch


def cox_nll(score, days, died):
    """Negative log partial likelihood (Breslow ties), averaged over the observed deaths."""
    order = torch.argsort(days, descending=True)
    score, days, died = score[order], days[order], died[order]
    log_risk = torch.logcumsumexp(score, dim=0)
    # everybody with the same day belongs to the same risk set: use the last one of each tie
    _, counts = torch.unique_consecutive(days, return_counts=True)
    last = torch.repeat_interleave(counts.cumsum(0) - 1, counts)
    return -((score - log_risk[last]) * died).sum() / died.sum()


def concordance(score, days, died):
    """Harrell's C: share of comparable pairs whose order is predicted right."""
    earlier = (days[:, None] < days[None, :]) & (died[:, None] == 1)
    diff = score[:, None] - score[None, :]
    good = (diff > 0).double() + 0.5 * (diff == 0).double()
    return (good * earlier).sum().item() / earlier.sum().item()
