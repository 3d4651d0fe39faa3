from torch import nn


def block(cin, cout, stride=1):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class SmallConvNet(nn.Module):
    def __init__(self, width=16, classes=10):
        super().__init__()
        self.body = nn.Sequential(
            block(1, width),
            block(width, 2 * width, stride=2),
            block(2 * width, 4 * width, stride=2),
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(4 * width, classes)

    def forward(self, x):
        return self.fc(self.pool(self.body(x)).flatten(1))
