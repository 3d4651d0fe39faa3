from torch import nn


def stage(cin, cout, stride):
    return nn.Sequential(nn.Conv1d(cin, cout, 9, stride=stride, padding=4), nn.GroupNorm(4, cout), nn.ReLU())


class WaveEncoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.stem = stage(1, 16, 2)
        self.mid = stage(16, width, 2)
        self.top = stage(width, width, 2)

    def forward(self, wave):
        h = self.top(self.mid(self.stem(wave[:, None])))
        return h.mean(-1)


class EventClassifier(nn.Module):
    def __init__(self, n_classes, width=32):
        super().__init__()
        self.encoder = WaveEncoder(width)
        self.head = nn.Linear(width, n_classes)

    def forward(self, wave):
        return self.head(self.encoder(wave))
