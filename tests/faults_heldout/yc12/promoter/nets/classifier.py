import torch.nn as nn

from .encoder import Encoder


class PromoterClassifier(nn.Module):
    def __init__(self, dim=48, dropout=0.2):
        super().__init__()
        self.encoder = Encoder(dim)
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Dropout(dropout), nn.Linear(dim, 2))

    def forward(self, ids):
        return self.head(self.encoder(ids).amax(-1))
