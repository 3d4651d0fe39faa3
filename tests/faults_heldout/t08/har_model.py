import torch.nn as nn


class HARNet(nn.Module):
    def __init__(self, channels, filters, classes):
        super().__init__()
        self.stem = nn.Conv1d(channels, filters, 7, padding=3)
        self.bn = nn.BatchNorm1d(filters)
        self.conv = nn.Conv1d(filters, filters, 5, padding=2)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(filters, classes)

    def forward(self, x):
        n, steps, channels = x.shape
        x = x.view(n, channels, steps)
        x = self.bn(self.stem(x)).relu()
        x = self.conv(x).relu().amax(-1)
        return self.out(self.drop(x))
