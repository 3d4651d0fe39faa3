import torch
from torch import nn


class RiskNet(nn.Module):
    def __init__(self, n_in, width, p):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(p),
            nn.Linear(width, width), nn.ReLU(), nn.Dropout(p),
        )
        self.risk = nn.Linear(width, 1, bias=False)

    def forward(self, x):
        return self.risk(self.body(x)).squeeze(-1)


def partial_likelihood(risk, time, event):
    """Negative Breslow log partial likelihood, averaged over the events of the batch."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    at_risk = torch.logcumsumexp(risk, 0)
    return ((at_risk - risk) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()
