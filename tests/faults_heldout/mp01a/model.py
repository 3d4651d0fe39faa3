import torch
from torch import nn


class LoadForecaster(nn.Module):
    """Encoder over the last `context` hours, one output per hour of the horizon."""

    def __init__(self, n_features, context, horizon, width=48, heads=4, layers=2, dropout=0.1):
        super().__init__()
        self.proj = nn.Linear(n_features, width)
        self.pos = nn.Parameter(torch.randn(1, context, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, heads, dim_feedforward=2 * width, dropout=dropout,
                                           batch_first=True, norm_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(width), enable_nested_tensor=False)
        self.head = nn.Sequential(nn.Linear(2 * width, 64), nn.GELU(), nn.Linear(64, horizon))

    def forward(self, x):
        h = self.encoder(self.proj(x) + self.pos)
        return self.head(torch.cat([h[:, -1], h.mean(dim=1)], dim=-1))
