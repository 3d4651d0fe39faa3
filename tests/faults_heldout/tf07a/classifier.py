import torch
from torch import nn


class TicketClassifier(nn.Module):
    """Sum of the word vectors over the root of the length (0 is padding), then a linear layer."""

    def __init__(self, n_words, n_trades, dim, dropout):
        super().__init__()
        self.words = nn.Embedding(n_words, dim, padding_idx=0)
        self.out = nn.Linear(dim, n_trades)
        self.drop = nn.Dropout(dropout)
        with torch.no_grad():
            self.words.weight.mul_(0.1)

    def forward(self, tokens):
        known = (tokens != 0).unsqueeze(-1).float()
        vectors = self.drop(self.words(tokens)) * known
        pooled = vectors.sum(1) / known.sum(1).clamp(min=1).sqrt()
        return self.out(self.drop(pooled))
