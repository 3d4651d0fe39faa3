import torch.nn as nn


def conv_block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
    )


class ConvNet(nn.Module):
    def __init__(self, width=16, dropout=0.1, classes=10):
        super().__init__()
        self.stem = conv_block(1, width)
        self.stage1 = nn.Sequential(conv_block(width, width), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(conv_block(width, 2 * width), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * width * 4, classes))

    def forward(self, x):
        return self.head(self.stage2(self.stage1(self.stem(x))))
