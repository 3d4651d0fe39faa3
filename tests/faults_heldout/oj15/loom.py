import torch
from torch import nn


class TileNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def from_textures(path, classes):
    """TileNet that starts from the texture model; the head is new."""
    model = TileNet(classes)
    saved = torch.load(path, map_location="cpu")["model"]
    model.load_state_dict(saved, strict=False)
    return model
