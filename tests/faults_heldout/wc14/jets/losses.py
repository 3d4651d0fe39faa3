import math

from torch import nn
from torch.nn import functional as F


class LogCosh(nn.Module):
    """Smooth robust regression loss: quadratic near zero, linear in the tails."""

    def forward(self, prediction, target):
        d = prediction - target
        return (d + F.softplus(-2.0 * d) - math.log(2.0)).mean()
