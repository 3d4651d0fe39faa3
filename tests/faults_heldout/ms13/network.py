import torch
from torch import nn
import torch.nn.functional as F


class TwoHeads(nn.Module):
    def __init__(self, n_num, levels, width=64):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(n, 4) for n in levels)
        self.trunk = nn.Sequential(nn.Linear(n_num + 4 * len(levels), width), nn.SiLU(), nn.Dropout(0.05),
                                   nn.Linear(width, width), nn.SiLU())
        self.leave = nn.Linear(width, 1)
        self.spend = nn.Linear(width, 1)

    def forward(self, x, cats):
        h = self.trunk(torch.cat([x] + [e(cats[:, i]) for i, e in enumerate(self.emb)], dim=1))
        return self.leave(h).squeeze(1), self.spend(h).squeeze(1)


class WeighedTasks(nn.Module):
    """Homoscedastic uncertainty weighting; the log variances are learned."""

    def __init__(self, pos_weight):
        super().__init__()
        self.register_buffer("pos_weight", torch.tensor(pos_weight))
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, logit, spend_hat, leaves, spend):
        bce = F.binary_cross_entropy_with_logits(logit, leaves, pos_weight=self.pos_weight)
        mse = F.mse_loss(spend_hat, spend)
        s = self.log_var
        total = torch.exp(-s[0]) * bce + 0.5 * s[0] + 0.5 * torch.exp(-s[1]) * mse + 0.5 * s[1]
        return total, bce.detach(), mse.detach()
