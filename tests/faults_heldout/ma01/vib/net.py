import torch.nn as nn


class Block(nn.Sequential):
    def __init__(self, cin, cout, stride):
        super().__init__(
            nn.Conv1d(cin, cout, 7, stride=stride, padding=3, bias=False),
            nn.BatchNorm1d(cout),
            nn.ReLU(inplace=True),
        )


class VibrationNet(nn.Module):
    def __init__(self, n_states, width=16):
        super().__init__()
        self.features = nn.Sequential(
            Block(1, width, 2), Block(width, 2 * width, 2), Block(2 * width, 2 * width, 2))
        self.head = nn.Linear(2 * width, n_states)

    def forward(self, x):
        return self.head(self.features(x).mean(-1))
