import torch
import torch.nn as nn
import torch.nn.functional as F


class CumulativeLinkLoss(nn.Module):
    """Proportional-odds loss: P(y > k) = sigmoid(score - cut_k), cuts kept in ascending order."""

    def __init__(self, n_levels):
        super().__init__()
        self.first = nn.Parameter(torch.tensor(-float(n_levels - 2)))
        self.gaps = nn.Parameter(torch.full((n_levels - 2,), 1.85))  # softplus(1.85) ~ 2

    def cuts(self):
        return torch.cat([self.first.view(1), self.first + F.softplus(self.gaps).cumsum(0)])

    def forward(self, score, rank):
        cuts = self.cuts()
        above = (rank[:, None] > torch.arange(len(cuts))[None, :]).float()
        return F.binary_cross_entropy_with_logits(score[:, None] - cuts[None, :], above)

    @torch.no_grad()
    def decode(self, score):
        return (score[:, None] > self.cuts()[None, :]).sum(1)
