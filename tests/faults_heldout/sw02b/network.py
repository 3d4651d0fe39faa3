import torch.nn as nn


class SpectralRegressor(nn.Module):
    def __init__(self, n_bands, hidden=64, dropout=0.1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_bands, hidden), nn.LayerNorm(hidden), nn.GELU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.GELU(),
        )
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)
