from torch import nn


class ManoeuvreNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(3, 16, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(16, 32, 5, padding=2), nn.ReLU(), nn.AdaptiveMaxPool1d(4), nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(128, 48), nn.ReLU(), nn.Linear(48, n_out))

    def forward(self, x):
        return self.fc(self.conv(x))
