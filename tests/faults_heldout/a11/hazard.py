import torch
from torch import nn


class RiskNet(nn.Module):
    def __init__(self, n_in, hidden, dropout):
        super().__init__()
        self.seq = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, 1, bias=False),
        )

    def forward(self, x):
        return self.seq(x).squeeze(1)


def cox_loss(risk, months, event):
    """Negative partial log likelihood (Breslow), averaged over the events."""
    order = torch.argsort(months, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] == 1)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher[earlier].sum() / earlier.sum()).item()
