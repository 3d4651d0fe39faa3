from torch import nn


def block(c_in, c_out):
    return nn.Sequential(nn.Conv1d(c_in, c_out, 7, padding=3, bias=False), nn.BatchNorm1d(c_out), nn.ReLU(), nn.MaxPool1d(2))


class PolarityNet(nn.Module):
    def __init__(self, n_classes, window):
        super().__init__()
        self.body = nn.Sequential(block(1, 12), block(12, 24), block(24, 32))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(32 * (window // 8), n_classes))

    def forward(self, x):
        return self.head(self.body(x))
