from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm1d(cout)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class KeywordNet(nn.Module):
    def __init__(self, bands, width, words, drop):
        super().__init__()
        self.front = Block(bands, width)
        self.mid = nn.Sequential(Block(width, width), nn.MaxPool1d(2), Block(width, width))
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(width * 8, words)

    def forward(self, x):
        h = self.mid(self.front(x))
        return self.out(self.drop(h.flatten(1)))
