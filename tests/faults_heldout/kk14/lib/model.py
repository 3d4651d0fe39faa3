from torch import nn


class SoundNet(nn.Module):
    def __init__(self, bands, classes, width=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(bands, width, 3, padding=1), nn.ReLU(),
            nn.Conv1d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        return self.fc(self.drop(self.conv(x).mean(-1)))
