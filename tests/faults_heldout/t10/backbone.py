import torch
from torch import nn


class Backbone(nn.Module):
    """feature extractor trained on the even digits"""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())

    def forward(self, x):
        return self.features(x)


class Transfer(nn.Module):
    def __init__(self, weights, n_out):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.load_state_dict(torch.load(weights))
        self.backbone.requires_grad_(False)
        self.classifier = nn.Linear(256, n_out)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()        # keep the running statistics of the pre-training set
        return self

    def forward(self, x):
        return self.classifier(self.backbone(x))
