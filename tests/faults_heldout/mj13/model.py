import torch.nn as nn
import torch.nn.functional as F


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = block(1, 16)
        self.mid = block(16, 32)
        self.top = block(32, 48)

    def forward(self, x):
        x = F.max_pool2d(self.mid(self.stem(x)), 2)
        return F.max_pool2d(self.top(x), 2).flatten(1)


class Classifier(nn.Module):
    def __init__(self, backbone, n_classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(192, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))
