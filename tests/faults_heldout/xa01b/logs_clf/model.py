from fnmatch import fnmatch

import torch.nn as nn


class SessionClassifier(nn.Module):
    """Event ids of one user session -> session kind."""

    def __init__(self, vocab, embed_dim, hidden, n_classes):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, n_classes))

    def forward(self, events):
        _, h = self.encoder(self.embed(events))
        return self.head(h[-1])


def select_parameters(model, patterns):
    chosen = []
    for name, p in model.named_parameters():
        p.requires_grad_(any(fnmatch(name, pat) for pat in patterns))
        if p.requires_grad:
            chosen.append(p)
    return chosen
