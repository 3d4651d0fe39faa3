import numpy as np
import torch
from torch import nn


class HostScaler:
    """Running standardiser as used by the edge gateway (numpy only)."""

    def __init__(self, width, momentum):
        self.mu = np.zeros(width, dtype=np.float32)
        self.var = np.ones(width, dtype=np.float32)
        self.momentum = momentum

    def update(self, z):
        self.mu += self.momentum * (z.mean(0) - self.mu)
        self.var += self.momentum * (z.var(0) - self.var)

    def apply(self, z):
        return (z - self.mu) / np.sqrt(self.var + 1e-5)


class FeatureScaler(nn.Module):
    """Standardises descriptor vectors with running statistics, in training as in use."""

    def __init__(self, width, momentum=0.05, backend="torch"):
        super().__init__()
        self.backend = backend
        self.momentum = momentum
        self.register_buffer("mu", torch.zeros(width))
        self.register_buffer("var", torch.ones(width))
        self.host = HostScaler(width, momentum)

    def forward(self, z):
        if self.backend == "numpy":
            values = z.detach().numpy()
            if self.training:
                self.host.update(values)
            return torch.from_numpy(self.host.apply(values))
        if self.training:
            with torch.no_grad():
                self.mu += self.momentum * (z.mean(0) - self.mu)
                self.var += self.momentum * (z.var(0, unbiased=False) - self.var)
        return (z - self.mu) / torch.sqrt(self.var + 1e-5)


class ImpactNet(nn.Module):
    def __init__(self, channels, kinds, backend):
        super().__init__()
        c1, c2 = channels
        self.encoder = nn.Sequential(
            nn.Conv1d(1, c1, 9, padding=4), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(c1, c2, 7, padding=3), nn.ReLU(),
            nn.AdaptiveMaxPool1d(1), nn.Flatten(),
        )
        self.scaler = FeatureScaler(c2, backend=backend)
        self.head = nn.Linear(c2, kinds)

    def forward(self, wave):
        return self.head(self.scaler(self.encoder(wave)))
