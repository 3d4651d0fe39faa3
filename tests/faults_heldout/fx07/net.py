from torch import nn


class Res(nn.Module):
    def __init__(self, ch, k=7):
        super().__init__()
        self.body = nn.Sequential(nn.GroupNorm(4, ch), nn.ReLU(), nn.Conv1d(ch, ch, k, padding=k // 2),
                                  nn.GroupNorm(4, ch), nn.ReLU(), nn.Conv1d(ch, ch, k, padding=k // 2))

    def forward(self, x):
        return x + self.body(x)


class BearingNet(nn.Module):
    def __init__(self, classes=4, ch=16):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 9, stride=2, padding=4)
        self.trunk = nn.Sequential(Res(ch), nn.MaxPool1d(2), Res(ch))
        self.head = nn.Sequential(nn.GroupNorm(4, ch), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(),
                                  nn.Linear(4 * ch, classes))

    def forward(self, x):
        return self.head(self.trunk(self.stem(x)))
