import torch
from torch import nn
import torch.nn.functional as F


class HazardNet(nn.Module):
    """Conditional probability of an event in each follow-up interval."""

    def __init__(self, n_features, n_bins, width=32, p=0.1):
        super().__init__()
        self.risk = nn.Sequential(
            nn.Linear(n_features, width), nn.GELU(), nn.Dropout(p), nn.Linear(width, width), nn.GELU(), nn.Linear(width, n_bins)
        )
        self.base = nn.Parameter(torch.full((n_bins,), -2.0))

    def forward(self, x):
        return self.base + self.risk(x)


def survival_loss(logits, bin_idx, event):
    """Negative log likelihood; intervals after the exit of a subject do not count."""
    steps = torch.arange(logits.size(1))
    happened = ((steps[None] == bin_idx[:, None]) & (event[:, None] > 0)).float()
    # a censored subject is at risk only in the intervals it completed
    at_risk = torch.where(event[:, None] > 0, steps[None] <= bin_idx[:, None], steps[None] < bin_idx[:, None]).float()
    nll = F.binary_cross_entropy_with_logits(logits, happened, reduction="none")
    return (nll * at_risk).sum(1).mean()


def expected_event_score(logits):
    surv = torch.cumprod(1 - torch.sigmoid(logits), dim=1)
    return -surv.sum(1)


def concordance(months, event, score):
    comparable = (months[:, None] < months[None]) & (event[:, None] > 0)
    d = score[:, None] - score[None]
    wins = (d > 0).double() + 0.5 * (d == 0).double()
    return (wins[comparable].sum() / comparable.sum()).item()
