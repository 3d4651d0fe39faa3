import torch
from torch import nn


class Frequency(nn.Module):
    """Claim rate per year; the exposure enters as an offset."""

    def __init__(self, d, base_rate):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(d, 32), nn.Tanh(), nn.Linear(32, 16), nn.Tanh(), nn.Linear(16, 1))
        nn.init.constant_(self.mlp[-1].bias, float(torch.log(torch.tensor(base_rate))))

    def forward(self, x, exposure):
        return self.mlp(x).squeeze(1) + exposure.log()


def poisson_deviance(log_mu, y):
    term = torch.where(y > 0, y * (y.clamp(min=1).log() - log_mu), torch.zeros_like(y))
    return 2 * (term - y + log_mu.exp()).mean()
