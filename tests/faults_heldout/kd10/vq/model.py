import torch.nn as nn

from .codebook import Codebook


class VQAutoencoder(nn.Module):
    def __init__(self, width=32, dim=16, n_codes=64):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(1, width, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv1d(width, width, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv1d(width, dim, 3, padding=1),
        )
        self.book = Codebook(n_codes, dim)
        self.decoder = nn.Sequential(
            nn.Conv1d(dim, width, 3, padding=1), nn.ReLU(),
            nn.ConvTranspose1d(width, width, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose1d(width, 1, 4, stride=2, padding=1),
        )

    def forward(self, x):
        z = self.encoder(x).transpose(1, 2)  # (N, T, dim)
        q, commit, perplexity = self.book(z)
        return self.decoder(q.transpose(1, 2)), commit, perplexity
