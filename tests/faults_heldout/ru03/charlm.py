import torch
from torch import nn

ALPHABET = "\n" + "".join(chr(c) for c in range(32, 127))
INDEX = {c: i for i, c in enumerate(ALPHABET)}
CONTEXT = 12


def encode(text):
    return torch.tensor([INDEX[c] for c in text if c in INDEX])


class CharModel(nn.Module):
    """Fixed-window next character model."""

    def __init__(self, dim=20, hidden=128):
        super().__init__()
        self.embed = nn.Embedding(len(ALPHABET), dim)
        self.mix = nn.Linear(CONTEXT * dim, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.deep = nn.Linear(hidden, hidden)
        self.head = nn.Linear(hidden, len(ALPHABET))

    def forward(self, window):
        h = torch.nn.functional.gelu(self.mix(self.embed(window).flatten(1)))
        h = h + torch.nn.functional.gelu(self.deep(self.norm(h)))
        return self.head(h)
