import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, d_in, hidden, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, hidden), nn.GELU(), nn.LayerNorm(hidden),
                                 nn.Linear(hidden, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, d_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)
