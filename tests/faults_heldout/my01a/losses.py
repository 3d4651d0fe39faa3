import torch
import torch.nn as nn


class UncertaintyWeighted(nn.Module):
    """Kendall & Gal style weighting: every task has a learnt log-variance."""

    def __init__(self, tasks):
        super().__init__()
        self.tasks = list(tasks)
        self.log_var = nn.Parameter(torch.zeros(len(self.tasks)))

    def forward(self, pred, target):
        se = (pred - target).pow(2).mean(dim=0)
        return (0.5 * torch.exp(-self.log_var) * se + 0.5 * self.log_var).sum()

    def sigmas(self):
        return {t: float(s) for t, s in zip(self.tasks, torch.exp(0.5 * self.log_var.detach()))}
