from torch import nn


class ToneNet(nn.Module):
    def __init__(self, bins, kinds, ch=32):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(bins, ch, 3, padding=1), nn.BatchNorm1d(ch), nn.ReLU(),
            nn.Conv1d(ch, ch, 3, padding=1), nn.BatchNorm1d(ch), nn.ReLU(),
            nn.Flatten(), nn.Dropout(0.2), nn.LazyLinear(kinds),
        )

    def forward(self, x):
        return self.body(x)
