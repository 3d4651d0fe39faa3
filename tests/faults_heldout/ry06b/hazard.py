import torch
from torch import nn


class HazardNet(nn.Module):
    """Discrete-time hazards: probability to fail in week t given survival until t."""

    def __init__(self, n_features, n_weeks, hidden):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.weeks = nn.Linear(hidden, n_weeks)

    def forward(self, x):
        return torch.sigmoid(self.weeks(self.trunk(x)))


class DiscreteSurvivalLoss(nn.Module):
    def __init__(self, n_weeks, floor):
        super().__init__()
        self.floor = floor
        self.register_buffer("week", torch.arange(n_weeks))

    def forward(self, hazard, duration, failed):
        h = hazard.clamp(self.floor, 1.0 - self.floor)
        at_risk = (self.week[None] <= duration[:, None]).float()
        event = ((self.week[None] == duration[:, None]) & failed[:, None]).float()
        loglik = event * torch.log(h) + (1.0 - event) * torch.log(1.0 - h)
        return -(loglik * at_risk).sum(1).mean()
