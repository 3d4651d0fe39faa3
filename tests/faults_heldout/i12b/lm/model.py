import torch
from torch import nn


class CharMLP(nn.Module):
    """Fixed-window character model with two residual hidden layers."""

    def __init__(self, vocab, context, emb, hidden, dropout):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.inp = nn.Linear(context * emb, hidden)
        self.h1 = nn.Linear(hidden, hidden)
        self.h2 = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, idx):
        h = torch.nn.functional.gelu(self.inp(self.emb(idx).flatten(1)))
        h = h + torch.nn.functional.gelu(self.h1(h))
        h = h + torch.nn.functional.gelu(self.h2(h))
        return self.out(self.drop(self.norm(h)))
