import torch.nn as nn


class HARNet(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        def block(i, o, k):
            return nn.Sequential(nn.Conv1d(i, o, k, stride=2, padding=k // 2), nn.ReLU())
        self.body = nn.Sequential(block(channels, 16, 9), block(16, 32, 7), block(32, 32, 5), nn.AdaptiveAvgPool1d(1))
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))
