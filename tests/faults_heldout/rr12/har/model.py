import torch.nn as nn


class ConvGRU(nn.Module):
    def __init__(self, n_classes, channels=24, hidden=32, dropout=0.2):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(3, channels, 5, padding=2), nn.BatchNorm1d(channels), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):                       # (batch, time, axis)
        h = self.conv(x.transpose(1, 2)).transpose(1, 2)
        _, last = self.gru(h)
        return self.fc(self.drop(last[-1]))
