import torch.nn as nn


class CRNN(nn.Module):
    def __init__(self, rows=8, channels=64, hidden=48, symbols=11):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(rows, channels, 5, padding=2), nn.BatchNorm1d(channels), nn.ReLU(),
            nn.Conv1d(channels, channels, 3, stride=2, padding=1), nn.BatchNorm1d(channels), nn.ReLU(),
            nn.Conv1d(channels, channels, 3, padding=1), nn.BatchNorm1d(channels), nn.ReLU())
        self.rnn = nn.GRU(channels, hidden, bidirectional=True)
        self.out = nn.Linear(2 * hidden, symbols)

    def forward(self, x):
        f = self.features(x)
        n, c, t = f.shape
        seq = f.reshape(t, n, c)
        h, _ = self.rnn(seq)
        return self.out(h).log_softmax(-1)
