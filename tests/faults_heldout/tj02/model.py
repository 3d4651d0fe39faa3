from torch import nn


def conv_bn(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True))


class SmallCNN(nn.Module):
    def __init__(self, width=12, classes=10, dropout=0.2):
        super().__init__()
        self.features = nn.Sequential(
            conv_bn(1, width), conv_bn(width, width), nn.MaxPool2d(2),
            conv_bn(width, 2 * width), nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * width * 4, classes))

    def forward(self, x):
        return self.head(self.features(x))
