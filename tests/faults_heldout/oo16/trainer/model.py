import torch
import torch.nn as nn
import torch.nn.functional as F


class BuildingNet(nn.Module):
    def __init__(self, n_in=5, hidden=40, horizon=6):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.load = nn.Linear(hidden, horizon)
        self.occ = nn.Linear(hidden, horizon)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.load(h[-1]), self.occ(h[-1])


class JointLoss(nn.Module):
    """Homoscedastic task weighting with learned log-variances."""

    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, load_hat, occ_hat, load, occ):
        a = F.mse_loss(load_hat, load)
        b = F.binary_cross_entropy_with_logits(occ_hat, occ)
        w = (-self.log_var).exp()
        return 0.5 * w[0] * a + w[1] * b + 0.5 * self.log_var.sum(), a.detach(), b.detach()
