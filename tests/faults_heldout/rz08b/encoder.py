from torch import nn


class ClipEncoder(nn.Module):
    """Log-mel clip (frames, mels) -> fixed-size embedding."""

    def __init__(self, mels=16, channels=32, width=48):
        super().__init__()
        self.width = width
        self.conv = nn.Sequential(
            nn.Conv1d(mels, channels, 3, padding=1), nn.ReLU(),
            nn.Conv1d(channels, channels, 3, padding=1), nn.ReLU(),
        )
        self.rnn = nn.GRU(channels, width // 2, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, mel):
        h = self.conv(mel.transpose(1, 2)).transpose(1, 2)
        _, last = self.rnn(h)
        return self.norm(last.transpose(0, 1).flatten(1))
