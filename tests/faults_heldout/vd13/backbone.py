from torch import nn


def conv_bn(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv_bn(1, 24)
        self.stage1 = nn.Sequential(conv_bn(24, 32), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(conv_bn(32, 64), nn.MaxPool2d(2))
        self.out_features = 64 * 4

    def forward(self, x):
        return self.stage2(self.stage1(self.stem(x))).flatten(1)


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(self.backbone.out_features, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))
