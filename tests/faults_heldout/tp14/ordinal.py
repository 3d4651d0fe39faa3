import torch
from torch import nn
import torch.nn.functional as F


class OrdinalNet(nn.Module):
    """One score against ordered cut points; P(grade > k) = sigmoid(score - cut_k)."""

    def __init__(self, n_in, n_grades, hidden=48, smooth=0.04):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                  nn.Linear(hidden, 1))
        self.first = nn.Parameter(torch.tensor(-3.0))
        self.gaps = nn.Parameter(torch.full((n_grades - 2,), 1.0))
        self.smooth = smooth
        self.register_buffer("levels", torch.arange(n_grades - 1))

    def cuts(self):
        return torch.cat([self.first.view(1), self.first + F.softplus(self.gaps).cumsum(0)])

    def forward(self, values, labels=None):
        logits = self.body(values) - self.cuts()
        out = {"logits": logits}
        if labels is not None:
            above = (labels[:, None] > self.levels).float()
            if self.training:
                above = above * (1 - self.smooth) + 0.5 * self.smooth
            logp, logq = F.logsigmoid(logits), F.logsigmoid(-logits)
            out = {"loss": -(above * logp + (1 - above) * logq).sum(1).mean(), **out}
        return out
