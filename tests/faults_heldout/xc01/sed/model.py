from torch import nn


def conv_block(i, o, k=7):
    return nn.Sequential(nn.Conv1d(i, o, k, padding=k // 2), nn.GroupNorm(4, o), nn.ReLU(), nn.MaxPool1d(2))


class PulseNet(nn.Module):
    def __init__(self, ch, classes=6):
        super().__init__()
        self.features = nn.Sequential(conv_block(1, ch), conv_block(ch, 2 * ch), conv_block(2 * ch, 2 * ch))
        self.head = nn.Linear(2 * ch, classes)

    def forward(self, x):
        return self.head(self.features(x).mean(-1))
