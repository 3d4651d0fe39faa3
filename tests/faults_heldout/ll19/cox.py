import torch
import torch.nn as nn


class RiskScore(nn.Module):
    def __init__(self, n_in, width, dropout):
        super().__init__()
        self.linear = nn.Linear(n_in, 1, bias=False)
        self.deep = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Dropout(dropout),
                                  nn.Linear(width, 1, bias=False))

    def forward(self, x):
        return (self.linear(x) + self.deep(x)).squeeze(-1)


def partial_nll(score, months, died):
    """Negative Cox partial log likelihood per death (Breslow)."""
    order = torch.argsort(months, descending=True)
    s, d = score[order], died[order]
    log_risk = torch.logcumsumexp(s, 0)          # everybody still at risk at that time
    return -((s - log_risk) * d).sum() / d.sum().clamp(min=1)


def concordance(score, months, died):
    """Share of comparable pairs in which the patient with the higher score dies first."""
    comparable = (months[:, None] < months[None, :]) & died[:, None].bool()
    right = (score[:, None] > score[None, :]).float() + 0.5 * (score[:, None] == score[None, :]).float()
    return (right * comparable).sum().item() / comparable.sum().item()
