import torch.nn as nn


class VibrationNet(nn.Module):
    def __init__(self, n_out, dropout):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 16, 9, padding=4),
            nn.BatchNorm1d(16),
            nn.GELU(),
            nn.MaxPool1d(2),
            nn.Conv1d(16, 32, 7, padding=3),
            nn.BatchNorm1d(32),
            nn.GELU(),
            nn.MaxPool1d(2),
            nn.Conv1d(32, 48, 5, padding=2),
            nn.BatchNorm1d(48),
            nn.GELU(),
            nn.AdaptiveAvgPool1d(4),
        )
        self.classify = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(48 * 4, n_out))

    def forward(self, x):
        return self.classify(self.features(x))
