import torch.nn as nn


class CallNet(nn.Module):
    """Species from a 20 x 28 log-mel patch."""

    def __init__(self, n_species=6):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.GroupNorm(3, 12), nn.GELU(), nn.MaxPool2d(2))
        self.stage = nn.Sequential(nn.Conv2d(12, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.GELU(), nn.MaxPool2d(2))
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(24 * 5 * 7, 32), nn.GELU())
        self.species = nn.Linear(32, n_species)

    def forward(self, x):
        return self.species(self.neck(self.stage(self.stem(x))))
