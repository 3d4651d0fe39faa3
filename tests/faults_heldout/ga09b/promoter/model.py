from torch import nn


class MotifNet(nn.Module):
    def __init__(self, families, filters=48, width=9):
        super().__init__()
        self.scan = nn.Conv1d(4, filters, width)
        self.pool = nn.AdaptiveMaxPool1d(1)
        self.classify = nn.Sequential(nn.Flatten(), nn.ReLU(), nn.Dropout(0.2), nn.Linear(filters, 64), nn.ReLU(),
                                      nn.Linear(64, families))

    def forward(self, x):
        return self.classify(self.pool(self.scan(x)))
