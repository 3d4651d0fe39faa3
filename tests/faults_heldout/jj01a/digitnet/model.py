import torch.nn as nn


class ConvUnit(nn.Sequential):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__(
            nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1),
            nn.GroupNorm(4, c_out),
            nn.ReLU(inplace=True),
        )


class DigitNet(nn.Module):
    def __init__(self, width=24, dropout=0.1, classes=10):
        super().__init__()
        self.stem = ConvUnit(1, width)
        self.body = nn.Sequential(ConvUnit(width, width * 2, stride=2), ConvUnit(width * 2, width * 2))
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(width * 2 * 16, classes)

    def forward(self, x):
        x = self.body(self.stem(x))
        return self.fc(self.drop(x.flatten(1)))
