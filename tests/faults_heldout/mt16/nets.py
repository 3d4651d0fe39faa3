from collections import OrderedDict

from torch import nn


def stage(i, o):
    return nn.Sequential(OrderedDict(conv=nn.Conv2d(i, o, 3, padding=1, bias=False), norm=nn.BatchNorm2d(o),
                                     act=nn.ReLU(), pool=nn.MaxPool2d(2)))


class SymbolNet(nn.Module):
    def __init__(self, classes, neck=None):
        super().__init__()
        self.stem = nn.Sequential(stage(1, 16), stage(16, 32), stage(32, 40))
        self.neck = nn.Sequential(nn.Linear(160, neck), nn.ReLU(), nn.Dropout(0.2)) if neck else nn.Identity()
        self.head = nn.Linear(neck or 160, classes)

    def forward(self, x):
        return self.head(self.neck(self.stem(x).flatten(1)))
