from torch import nn


class ActivityNet(nn.Module):
    """Windows come as (batch, time, channel)."""

    def __init__(self, channels=6, n_classes=6, width=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(channels, width), nn.Tanh())
        self.rnn = nn.GRU(width, width, bidirectional=True)
        self.norm = nn.LayerNorm(2 * width)
        self.fc = nn.Linear(2 * width, n_classes)

    def forward(self, x):
        x = x.reshape(x.size(1), x.size(0), x.size(2))  # time first
        h, _ = self.rnn(self.stem(x))
        return self.fc(self.norm(h.mean(0)))
