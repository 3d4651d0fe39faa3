import torch.nn as nn


def block(cin, cout, k):
    return nn.Sequential(
        nn.Conv1d(cin, cout, k, padding=k // 2, bias=False),
        nn.BatchNorm1d(cout),
        nn.ReLU(),
        nn.MaxPool1d(2),
    )


class BearingNet(nn.Module):
    """1-d convnet for windows of 128 accelerometer samples."""

    def __init__(self, n_faults=5):
        super().__init__()
        self.low = nn.Sequential(block(1, 16, 9), block(16, 32, 7))
        self.high = nn.Sequential(block(32, 48, 5), block(48, 64, 3))
        self.head = nn.Linear(64, n_faults)

    def forward(self, x):
        h = self.high(self.low(x))
        return self.head(h.mean(dim=2))
