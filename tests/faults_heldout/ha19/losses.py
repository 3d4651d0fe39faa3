import torch
import torch.nn.functional as F
from torch import nn


class LogitAdjusted(nn.Module):
    """Cross entropy on logits shifted by the log class prior (Menon et al., 2021)."""

    def __init__(self, counts, tau=1.0):
        super().__init__()
        self.register_buffer("shift", tau * (counts.float() / counts.sum()).log())

    def forward(self, logits, target):
        return F.cross_entropy(logits + self.shift, target)
