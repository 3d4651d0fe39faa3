import copy

import torch
import torch.nn.functional as F
from torch import nn

from .queue import KeyQueue


def encoder(d_out):
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(),
        nn.Linear(32 * 16, 128), nn.ReLU(), nn.Linear(128, d_out),
    )


class MoCo(nn.Module):
    def __init__(self, dim=64, queue_size=1024, momentum=0.99, tau=0.1):
        super().__init__()
        self.q = encoder(dim)
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad_(False)
        self.m, self.tau = momentum, tau
        self.queue = KeyQueue(dim, queue_size)

    @torch.no_grad()
    def update_key_encoder(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self.update_key_encoder()
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.negatives().T
        logits = torch.cat([pos, neg], 1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.queue.push(k)
        return loss
