import torch.nn.functional as F
from torch import nn


class Embedder(nn.Module):
    def __init__(self, n_features, n_speakers, hidden, dim):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, dim),
        )
        self.neck = nn.BatchNorm1d(dim)
        self.classify = nn.Linear(dim, n_speakers, bias=False)

    def embed(self, x):
        return F.normalize(self.neck(self.body(x)), dim=1)

    def forward(self, x):
        return self.classify(self.neck(self.body(x)))
