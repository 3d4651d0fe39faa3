import torch
import torch.nn as nn


class BeatEncoder(nn.Module):
    def __init__(self, ch=16, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, ch, 9, padding=4), nn.BatchNorm1d(ch), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(ch, ch, 7, padding=3), nn.BatchNorm1d(ch), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(ch, 2 * ch, 5, padding=2), nn.BatchNorm1d(2 * ch), nn.ReLU(),
        )
        self.proj = nn.Linear(4 * ch, dim)

    def forward(self, x):
        h = self.conv(x.unsqueeze(1))
        return torch.relu(self.proj(torch.cat([h.mean(-1), h.amax(-1)], dim=1)))


class BeatClassifier(nn.Module):
    def __init__(self, n_classes=5, dim=32):
        super().__init__()
        self.encoder = BeatEncoder(dim=dim)
        self.classifier = nn.Linear(dim, n_classes)

    @torch.no_grad()
    def embed(self, x):
        """Feature vector of a strip (also used by the similarity search of the viewer)."""
        return self.encoder(x)

    def forward(self, x):
        return self.classifier(self.embed(x))
