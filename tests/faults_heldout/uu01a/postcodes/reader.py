from torch import nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(),
    )


class Reader(nn.Module):
    def __init__(self, width=24, digits=10):
        super().__init__()
        self.body = nn.Sequential(
            block(1, width),
            block(width, width),
            nn.MaxPool2d(2),
            block(width, 2 * width),
            nn.MaxPool2d(2),
        )
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * width * 4, digits)

    def forward(self, x):
        return self.out(self.drop(self.body(x).flatten(1)))
