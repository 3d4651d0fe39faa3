import torch.nn as nn


def block(cin, cout, k, stride):
    return nn.Sequential(
        nn.Conv1d(cin, cout, k, stride=stride, padding=k // 2, bias=False),
        nn.BatchNorm1d(cout),
        nn.ReLU(),
    )


class VibrationEncoder(nn.Module):
    out_dim = 32

    def __init__(self):
        super().__init__()
        self.stem = block(1, 16, 15, 2)
        self.body = nn.Sequential(
            block(16, 24, 9, 2),
            block(24, 32, 7, 2),
        )
        self.pool = nn.AdaptiveAvgPool1d(1)

    def forward(self, x):
        return self.pool(self.body(self.stem(x))).flatten(1)
