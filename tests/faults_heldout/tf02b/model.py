from torch import nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class DigitNet(nn.Module):
    def __init__(self, width=16, classes=10):
        super().__init__()
        self.body = nn.Sequential(
            block(1, width),
            block(width, width),
            nn.MaxPool2d(2),
            block(width, 2 * width),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.25), nn.Linear(2 * width * 4, classes))

    def forward(self, x):
        return self.head(self.body(x))
