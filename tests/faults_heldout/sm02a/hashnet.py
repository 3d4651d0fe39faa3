import torch
import torch.nn as nn


class SoftSign(nn.Module):
    """Differentiable stand-in for sign(): tanh(beta * z)."""

    def __init__(self, beta):
        super().__init__()
        self.beta = float(beta)

    def forward(self, z):
        return torch.tanh(self.beta * z)


class HashNet(nn.Module):
    def __init__(self, n_in, hidden, bits, beta):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, hidden), SoftSign(beta), nn.Linear(hidden, hidden), SoftSign(beta))
        self.code = nn.Linear(hidden, bits)
        self.squash = SoftSign(beta)

    def forward(self, x):
        return self.squash(self.code(self.trunk(x)))


def pair_loss(b, y, quant_weight):
    """Pairwise likelihood of same-class pairs from code similarity, plus a pull towards +-1."""
    k = b.size(1)
    sim = b @ b.t() * (4.0 / k)
    same = (y[:, None] == y[None, :]).float()
    off = ~torch.eye(len(y), dtype=torch.bool)
    w = torch.where(same > 0, 0.5 / same[off].mean().clamp_min(1e-3), 0.5 / (1 - same[off].mean()))
    nll = nn.functional.binary_cross_entropy_with_logits(sim - 1.0, same, reduction="none") * w
    return nll[off].mean() + quant_weight * (1 - b.abs()).pow(2).mean()
