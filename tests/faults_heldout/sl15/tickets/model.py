import torch
from torch import nn

from .text import PAD


class Router(nn.Module):
    """Attention-pooled word vectors with a small head."""

    def __init__(self, vocab, desks, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.score = nn.Linear(dim, 1)
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(dim, desks))

    def forward(self, ids):
        h = self.emb(ids)
        h = torch.relu(self.mix(h.transpose(1, 2)).transpose(1, 2)) + h
        s = self.score(h).squeeze(-1).masked_fill(ids == PAD, -1e4)
        return self.head((s.softmax(-1)[..., None] * h).sum(1))
