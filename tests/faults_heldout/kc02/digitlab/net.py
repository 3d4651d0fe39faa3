from torch import nn


class DigitNet(nn.Module):
    def __init__(self, width=16, dropout=0.1, classes=10):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Dropout(dropout),
        )
        self.out = nn.Linear(2 * width * 16, classes)

    def forward(self, x):
        return self.out(self.body(x))
