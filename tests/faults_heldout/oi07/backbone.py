import torch.nn as nn


def conv(c_in, c_out, stride=1):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv(1, 16)
        self.stage1 = nn.Sequential(conv(16, 32, 2), conv(32, 32))
        self.stage2 = conv(32, 64, 2)
        self.pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())

    def forward(self, x):
        return self.pool(self.stage2(self.stage1(self.stem(x))))


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.fc = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.fc(self.backbone(x))
