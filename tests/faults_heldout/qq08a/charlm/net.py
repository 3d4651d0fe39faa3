import torch.nn as nn


class WindowLM(nn.Module):
    """Next character from the embeddings of the characters before it."""

    def __init__(self, vocabulary, context, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, embed)
        self.read = nn.Linear(context * embed, hidden)
        self.mix = nn.Sequential(nn.LayerNorm(hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.GELU(), nn.Linear(hidden, vocabulary))

    def forward(self, window):
        h = self.read(self.embed(window).flatten(1))
        h = h + self.mix(h)
        return self.head(h)
