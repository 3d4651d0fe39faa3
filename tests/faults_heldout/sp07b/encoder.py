import torch.nn as nn


class SpectrumEncoder(nn.Module):
    """1-d convolutions over the wavelength axis, one vector per spectrum."""

    def __init__(self, channels=16, dim=48):
        super().__init__()
        self.dim = dim
        self.conv = nn.Sequential(
            nn.Conv1d(1, channels, 5, padding=2), nn.ReLU(),
            nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.fc = nn.Linear(channels * 16, dim)

    def forward(self, spectra):
        h = self.conv(spectra.unsqueeze(1))
        return self.fc(h.flatten(1))
