import torch
from torch import nn

from .codes import CodeBook


class TransitNet(nn.Module):
    def __init__(self, depots, dim, n_numeric, width):
        super().__init__()
        self.origin = CodeBook.from_file(depots, dim)
        self.target = CodeBook.from_file(depots, dim)
        self.body = nn.Sequential(
            nn.Linear(2 * dim + n_numeric, width),
            nn.GELU(),
            nn.Linear(width, 1),
        )

    def forward(self, batch):
        x = torch.cat([self.origin(batch.origin), self.target(batch.target), batch.numeric], dim=1)
        return self.body(x).squeeze(1)
