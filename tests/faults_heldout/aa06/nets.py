import torch
from torch import nn


class Backbone(nn.Module):
    out_dim = 64

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(48, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )

    def forward(self, x):
        return self.body(x)

    @classmethod
    def from_file(cls, path):
        net = cls()
        ckpt = torch.load(path, map_location="cpu")
        net.load_state_dict(ckpt["model"])
        print(f"backbone from {path} (epoch {ckpt['epoch']}, accuracy {ckpt['accuracy']:.3f})")
        return net


def init_weights(m):
    if isinstance(m, (nn.Conv2d, nn.Linear)):
        nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
        if m.bias is not None:
            nn.init.zeros_(m.bias)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.ones_(m.weight)
        nn.init.zeros_(m.bias)


class Classifier(nn.Module):
    def __init__(self, backbone, n_classes, hidden=32, dropout=0.2):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(backbone.out_dim, hidden), nn.ReLU(), nn.Linear(hidden, n_classes)
        )
        self.apply(init_weights)

    def forward(self, x):
        return self.head(self.backbone(x))
