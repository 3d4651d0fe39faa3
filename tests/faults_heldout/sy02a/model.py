from torch import nn


def block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
    )


class DigitNet(nn.Module):
    def __init__(self, channels, hidden, dropout, classes=10):
        super().__init__()
        c1, c2 = channels
        self.features = nn.Sequential(
            block(1, c1),
            nn.MaxPool2d(2),
            block(c1, c2),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Linear(c2 * 2 * 2, hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(dropout),
            nn.Linear(hidden, classes),
        )

    def forward(self, x):
        return self.head(self.features(x))
