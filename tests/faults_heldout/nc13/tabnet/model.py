from dataclasses import dataclass

import torch.nn as nn

from .layers import BLOCKS


@dataclass
class TabConfig:
    n_features: int
    n_classes: int
    dim: int = 48
    depth: int = 4
    expansion: int = 2
    block: str = "residual"


class ResidualTabNet(nn.Module):
    def __init__(self, cfg: TabConfig):
        super().__init__()
        self.stem = nn.Linear(cfg.n_features, cfg.dim)
        self.blocks = nn.Sequential(*(BLOCKS[cfg.block](cfg.dim, cfg.expansion) for _ in range(cfg.depth)))
        self.head = nn.Linear(cfg.dim, cfg.n_classes)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))
