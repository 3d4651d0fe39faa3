from torch import nn


class BeatNet(nn.Module):
    def __init__(self, n_out=4, c=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, c, 7, padding=3), nn.BatchNorm1d(c), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(c, 2 * c, 5, padding=2), nn.BatchNorm1d(2 * c), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(2 * c, 2 * c, 5, padding=2), nn.BatchNorm1d(2 * c), nn.ReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.4), nn.Linear(2 * c * 24, n_out))

    def forward(self, x):
        return self.head(self.conv(x))
