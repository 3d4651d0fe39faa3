import torch
from torch import nn


class NTXent(nn.Module):
    """Normalised-temperature cross-entropy of SimCLR, for two views of a batch."""

    def __init__(self, temperature=0.07):
        super().__init__()
        self.temperature = temperature

    def forward(self, za, zb):
        n = len(za)
        z = nn.functional.normalize(torch.cat([za, zb]), dim=1)
        sim = z @ z.T / self.temperature
        other = 1 - torch.eye(2 * n, device=z.device)
        pos = torch.cat([sim.diagonal(n), sim.diagonal(-n)])
        denom = (sim.exp() * other).sum(1)
        return (denom.log() - pos).mean()
