import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Hetero(nn.Module):
    """Predicts mean and log-variance of a standardised target."""

    def __init__(self, f, hidden, drop):
        super().__init__()
        self.body = nn.Sequential(weight_norm(nn.Linear(f, hidden)), nn.SiLU(), nn.Dropout(drop))
        self.mean = nn.Linear(hidden, 1)
        self.logvar = nn.Linear(hidden, 1)
        nn.init.zeros_(self.logvar.weight)
        nn.init.zeros_(self.logvar.bias)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(1), self.logvar(h).squeeze(1).clamp(-6, 4)


def gaussian_nll(mu, logvar, t):
    return 0.5 * (logvar + (t - mu) ** 2 * torch.exp(-logvar)).mean()
