import math

import torch
from torch import nn


class DropoutRegressor(nn.Module):
    """Mean and log-variance of the target; dropout after every hidden layer."""

    def __init__(self, n_in, hidden, drop):
        super().__init__()
        layers = []
        for h in hidden:
            layers += [nn.Linear(n_in, h), nn.SiLU(), nn.Dropout(drop)]
            n_in = h
        self.body = nn.Sequential(*layers)
        self.mean = nn.Linear(n_in, 1)
        self.logvar = nn.Linear(n_in, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.logvar(h).squeeze(-1).clamp(-8, 4)


def gaussian_nll(mu, logvar, y):
    return 0.5 * (logvar + (y - mu) ** 2 * torch.exp(-logvar) + math.log(2 * math.pi)).mean()


@torch.no_grad()
def predictive(model, x, passes):
    """Monte-Carlo predictive mean and standard deviation (Gal & Ghahramani)."""
    model.train()
    mus, alea = [], []
    for _ in range(passes):
        mu, lv = model(x)
        mus.append(mu)
        alea.append(lv.exp())
    mus = torch.stack(mus)
    return mus.mean(0), (mus.var(0) + torch.stack(alea).mean(0)).sqrt()
