import torch.nn as nn


class SpectrumNet(nn.Module):
    def __init__(self, bins, classes):
        super().__init__()
        self.norm = nn.LayerNorm(bins)
        self.frame = nn.Sequential(nn.Linear(bins, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.frame(self.norm(x)).mean(1))
