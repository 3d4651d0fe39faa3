import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.proj = nn.Linear(32 * 4, dim)

    def forward(self, x):
        x = torch.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        return torch.relu(self.proj(x.flatten(1)))


class Probe(nn.Module):
    def __init__(self, n_classes, dim=48):
        super().__init__()
        self.encoder = Encoder(dim)
        self.head = nn.Linear(dim, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))
