import torch
from torch import nn


class SmallCNN(nn.Module):
    def __init__(self, n_tags, mean, std, width=16):
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("std", torch.tensor(std))
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d((3, 1)),
        )
        self.classify = nn.Linear(6 * width, n_tags)

    def forward(self, mel):
        x = (mel - self.mean) / self.std
        return self.classify(self.features(x).flatten(1))
