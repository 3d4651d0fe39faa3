import torch
import torch.nn as nn
import torch.nn.functional as F


class HazardNet(nn.Module):
    """Discrete-time survival: one conditional hazard logit per interval."""

    def __init__(self, n_features, n_bins, width=48, p_drop=0.1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, width), nn.ReLU(), nn.Dropout(p_drop),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.hazard = nn.Linear(width, n_bins)

    def forward(self, x):
        return self.hazard(self.body(x))

    @torch.no_grad()
    def risk(self, x):
        surv = torch.cumprod(1 - torch.sigmoid(self(x)), dim=1)
        return -surv.sum(1)


def hazard_nll(logits, bins, event):
    steps = torch.arange(logits.shape[1])[None, :]
    at_risk = (steps <= bins[:, None]).float()
    died = ((steps == bins[:, None]) & (event[:, None] > 0)).float()
    ll = F.binary_cross_entropy_with_logits(logits, died, reduction="none") * at_risk
    return ll.sum(1).mean()


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] > 0)
    good = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (good[earlier].sum() / earlier.sum()).item()
