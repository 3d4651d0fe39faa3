import torch
from torch import nn


class IntentEncoder(nn.Module):
    def __init__(self, vocab=80, dim=48, n_intents=6):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.up = nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.pool = nn.Linear(dim, 1)
        self.head = nn.Linear(dim, n_intents)

    def forward(self, ids):
        h = self.tok(ids)
        h = self.norm(h + self.down(torch.nn.functional.gelu(self.up(h))))
        w = self.pool(h).softmax(dim=1)
        return self.head((w * h).sum(1))
