import torch
import torch.nn.functional as F


class KeyQueue:
    """First-in first-out store of momentum keys, used as negatives."""

    def __init__(self, dim, size):
        self.size = size
        self.keys = F.normalize(torch.randn(size, dim), dim=1)

    @torch.no_grad()
    def push(self, k):
        self.keys = torch.cat([k.detach(), self.keys])

    def negatives(self):
        return self.keys
