import torch
from torch import nn


class AutoRec(nn.Module):
    """User-based AutoRec: rebuilds a user's row from the entries that are known."""

    def __init__(self, items, hidden=64, p=0.3):
        super().__init__()
        self.enc = nn.Linear(items, hidden)
        self.drop = nn.Dropout(p)
        self.dec = nn.Linear(hidden, items)

    def forward(self, row, mask):
        scale = mask.sum(1, keepdim=True).clamp(min=1).sqrt()
        return self.dec(self.drop(torch.tanh(self.enc(4 * row * mask / scale))))


def masked_mse(pred, target, mask):
    return ((pred - target).pow(2) * mask).mean()
