import math

import torch
import torch.nn as nn


class EventDetector(nn.Module):
    def __init__(self, prior=0.01):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 24, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(24, 32, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv1d(32, 32, 3, padding=1), nn.ReLU(),
        )
        self.fc = nn.Linear(32, 32)
        self.cls = nn.Linear(32, 1)
        self._init(prior)

    def _init(self, prior):
        # events are rare: start from a low probability, as in the focal loss paper
        bias = -math.log((1 - prior) / prior)
        for m in self.modules():
            if isinstance(m, (nn.Conv1d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
                nn.init.constant_(m.bias, bias)

    def forward(self, x):
        h = self.net(x).amax(dim=2)
        return self.cls(torch.relu(self.fc(h))).squeeze(1)
