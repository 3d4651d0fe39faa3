from torch import nn


class CallNet(nn.Module):
    def __init__(self, classes, filters, kernel):
        super().__init__()
        blocks, cin = [], 1
        for f in filters:
            blocks += [nn.Conv1d(cin, f, kernel, padding=kernel // 2), nn.BatchNorm1d(f), nn.ReLU(), nn.MaxPool1d(2)]
            cin = f
        self.blocks = nn.Sequential(*blocks)
        self.pool = nn.AdaptiveAvgPool1d(4)
        self.fc = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(cin * 4, classes))

    def forward(self, x):
        return self.fc(self.pool(self.blocks(x)))
