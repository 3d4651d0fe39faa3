import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        def stage(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2))
        self.stem, self.mid, self.top = stage(1, 16), stage(16, 32), stage(32, 48)

    def forward(self, x):
        return self.top(self.mid(self.stem(x))).mean((2, 3))


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.fc = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.fc(self.backbone(x))

    def train(self, mode=True):
        """Normalisation layers keep the statistics of the source task; the first two stages stay as they are."""
        super().train(mode)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.eval()
        return self

    def hold(self):
        for part in (self.backbone.stem, self.backbone.mid):
            for p in part.parameters():
                p.requires_grad_(False)
