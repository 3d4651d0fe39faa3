import torch


def cox_loss(log_risk, died):
    """Breslow partial likelihood; rows are ordered by decreasing follow-up time."""
    at_risk = torch.logcumsumexp(log_risk, dim=0)
    return -((log_risk - at_risk) * died).sum() / died.sum()


def concordance(log_risk, months, died):
    earlier = (months[:, None] < months[None, :]) & (died[:, None] > 0)
    diff = log_risk[:, None] - log_risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()
