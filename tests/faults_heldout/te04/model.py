import torch
from torch import nn
from torch.nn import functional as F


class HurdleNet(nn.Module):
    """Probability that anything is spent, and a log-normal for how much."""

    def __init__(self, n_types, n_sites, n_cont, embed, hidden, dropout):
        super().__init__()
        self.kind = nn.Embedding(n_types, embed)
        self.site = nn.Embedding(n_sites, embed)
        self.trunk = nn.Sequential(
            nn.Linear(n_cont + 2 * embed, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(),
        )
        self.occurs = nn.Linear(hidden, 1)
        self.amount = nn.Linear(hidden, 1)
        self.log_sigma = nn.Parameter(torch.zeros(()))

    def forward(self, cat, cont):
        z = self.trunk(torch.cat([cont, self.kind(cat[:, 0]), self.site(cat[:, 1])], dim=1))
        return self.occurs(z).squeeze(1), self.amount(z).squeeze(1)

    def nll(self, cat, cont, log_cost, spent):
        logit, mu = self(cat, cont)
        hurdle = F.binary_cross_entropy_with_logits(logit, spent)
        z = (log_cost - mu) * torch.exp(-self.log_sigma)
        amount = (0.5 * z ** 2 + self.log_sigma) * spent
        return hurdle + amount.mean()

    def expected(self, cat, cont, loc, scale):
        logit, mu = self(cat, cont)
        sigma = self.log_sigma.exp() * scale
        return torch.sigmoid(logit) * torch.exp(mu * scale + loc + 0.5 * sigma ** 2)
