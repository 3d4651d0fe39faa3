import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, n_in, width=96, n_out=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, width), nn.LayerNorm(width), nn.GELU(),
            nn.Linear(width, width), nn.LayerNorm(width), nn.GELU(),
            nn.Linear(width, n_out),
        )

    def forward(self, x):
        return F.normalize(self.net(x).float(), dim=-1)
