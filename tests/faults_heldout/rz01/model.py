from torch import nn


class ActivityNet(nn.Module):
    def __init__(self, channels=3, hidden=48, classes=6):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(channels, 24), nn.GELU())
        self.gru = nn.GRU(24, hidden, num_layers=1)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        h, _ = self.gru(self.stem(x))
        return self.head(self.norm(h[:, -1]))
