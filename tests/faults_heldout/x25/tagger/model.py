import torch
from torch import nn


class CommandModel(nn.Module):
    """Pre-trained word vectors, a recurrent assembler that reads them in order, and a classifier."""

    def __init__(self, vectors, hidden=32, n_out=4):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.assembler = nn.GRU(vectors.shape[1], hidden, num_layers=2, batch_first=True)
        self.classifier = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, n_out))

    def forward(self, ids):
        h, _ = self.assembler(self.emb(ids))
        return self.classifier(h[:, -1])
