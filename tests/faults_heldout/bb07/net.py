from collections import OrderedDict

from torch import nn


def conv_block(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1), nn.GroupNorm(4, cout), nn.SiLU())


class MeterNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.backbone = nn.Sequential(OrderedDict(
            c1=conv_block(1, 16), c2=conv_block(16, 32, 2), c3=conv_block(32, 48), c4=conv_block(48, 64, 2)))
        self.head = nn.Linear(64 * 4, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x).flatten(1))
