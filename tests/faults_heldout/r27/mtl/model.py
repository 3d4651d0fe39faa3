import torch
from torch import nn
import torch.nn.functional as F


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                   nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                   nn.Flatten(), nn.Linear(600, 64), nn.ReLU())
        self.radius, self.quad, self.sign = nn.Linear(64, 1), nn.Linear(64, 4), nn.Linear(64, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.radius(h).squeeze(1), self.quad(h), self.sign(h).squeeze(1)


class UncertaintyWeights(nn.Module):
    """Kendall et al.: weigh tasks by learned homoscedastic noise."""

    def __init__(self, n):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(n))

    def forward(self, losses):
        losses = torch.stack(losses)
        s = self.log_var.clamp(min=-2.0)
        return (losses * (-s).exp() + 0.5 * s).sum()


def task_losses(out, r, q, s):
    return [0.5 * F.mse_loss(out[0], r), F.cross_entropy(out[1], q), F.binary_cross_entropy_with_logits(out[2], s)]
