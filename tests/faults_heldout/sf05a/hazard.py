import torch


def partial_nll(risk, months, died):
    order = torch.argsort(months, descending=True)
    risk, died = risk[order], died[order]
    at_risk = torch.logcumsumexp(risk, dim=0)
    return ((at_risk - risk) * died).sum() / died.sum().clamp(min=1)


def concordance(risk, months, died):
    earlier = (months[:, None] < months[None, :]) & (died[:, None] > 0)
    good = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (good * earlier).sum().item() / earlier.sum().item()
