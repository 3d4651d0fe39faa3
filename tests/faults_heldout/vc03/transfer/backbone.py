from torch import nn


def conv_block(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.GroupNorm(4, c_out), nn.ReLU())


class Backbone(nn.Module):
    """Small convolutional encoder for 8x8 grey images."""

    def __init__(self, width=16, dim=64):
        super().__init__()
        self.stem = conv_block(1, width)
        self.stage1 = nn.Sequential(conv_block(width, width), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(conv_block(width, 2 * width), nn.MaxPool2d(2))
        self.project = nn.Linear(2 * width * 4, dim)
        self.dim = dim

    def forward(self, x):
        x = self.stage2(self.stage1(self.stem(x)))
        return self.project(x.flatten(1)).relu()


class Classifier(nn.Module):
    def __init__(self, n_classes, width=16, dim=64):
        super().__init__()
        self.backbone = Backbone(width, dim)
        self.head = nn.Linear(dim, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))
