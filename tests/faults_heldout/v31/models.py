from torch import nn


class ConvBN(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


def vgg_tiny(classes):
    return nn.Sequential(ConvBN(1, 16), ConvBN(16, 32), nn.MaxPool2d(2), ConvBN(32, 48), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(48 * 4, classes))
