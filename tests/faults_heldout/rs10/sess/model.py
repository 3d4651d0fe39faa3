import torch
from torch import nn

from .data import PAD


class SessionScorer(nn.Module):
    """Event embeddings, a position-wise network, session average, linear read-out."""

    def __init__(self, vocab, dim=24, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.event_net = nn.Sequential(
            nn.Linear(dim, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, hidden))
        self.norm = nn.LayerNorm(hidden)
        self.read = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def forward(self, batch):
        h = self.event_net(self.embed(batch["events"]))
        pooled = self.norm(h).mean(dim=1)
        return self.read(pooled).squeeze(-1)
