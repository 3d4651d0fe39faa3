import torch
from torch import nn


class BeatNet(nn.Module):
    def __init__(self, channels, kernel, n_classes):
        super().__init__()
        layers, cin = [], 1
        for c in channels:
            layers += [nn.Conv1d(cin, c, kernel, stride=2, padding=kernel // 2), nn.GroupNorm(4, c), nn.ReLU()]
            cin = c
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(2 * cin, n_classes)

    def forward(self, x):
        h = self.body(x)
        return self.head(torch.cat([h.mean(-1), h.amax(-1)], dim=1))
