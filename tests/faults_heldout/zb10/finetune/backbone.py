import torch.nn as nn


class Backbone(nn.Module):
    out_dim = 1024

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 48, 3, padding=1, stride=2, bias=False), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Flatten())

    def forward(self, x):
        return self.body(x)


class Transfer(nn.Module):
    """Pre-trained features, new two-layer head; only the head is trained."""

    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.head = nn.Sequential(nn.LayerNorm(backbone.out_dim), nn.Linear(backbone.out_dim, 64), nn.GELU(),
                                  nn.Linear(64, classes))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))
