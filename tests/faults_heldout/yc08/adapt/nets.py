import torch.nn as nn


def stage(i, o, pool):
    layers = [nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]
    return nn.Sequential(*layers, *([nn.MaxPool2d(2)] if pool else []))


class Backbone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stage1 = stage(1, width, False)
        self.stage2 = stage(width, 2 * width, True)
        self.stage3 = stage(2 * width, 2 * width, True)
        self.dim = 2 * width * 4

    def forward(self, x):
        return self.stage3(self.stage2(self.stage1(x))).flatten(1)


class TransferModel(nn.Module):
    """Only the stages in `tune` and the new head learn; the rest keeps its weights and statistics."""

    def __init__(self, backbone, classes, tune=()):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(backbone.dim, classes)
        self.fixed = []
        for name, child in backbone.named_children():
            if name not in tune:
                child.requires_grad_(False)
                self.fixed.append(child)

    def train(self, mode=True):
        super().train(mode)
        for child in self.fixed:
            child.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))
