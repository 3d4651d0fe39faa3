from torch import nn


class KeywordNet(nn.Module):
    def __init__(self, bands, words, width=32, p=0.2):
        super().__init__()
        self.front = nn.Sequential(
            nn.Conv1d(bands, width, 3, padding=1),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, width, 3, padding=1),
            nn.BatchNorm1d(width),
            nn.ReLU(),
        )
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(width, words)

    def forward(self, x):
        h = self.front(x.transpose(1, 2)).transpose(1, 2)
        _, last = self.rnn(h)
        return self.out(self.drop(last[-1]))
