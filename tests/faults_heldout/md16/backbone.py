from torch import nn


class Backbone(nn.Module):
    def __init__(self, w=24):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.BatchNorm2d(w), nn.ReLU(), nn.MaxPool2d(2))
        self.body = nn.Sequential(nn.Conv2d(w, 2 * w, 3, padding=1), nn.BatchNorm2d(2 * w), nn.ReLU(), nn.MaxPool2d(2))
        self.proj = nn.Linear(2 * w * 4, 64)

    def forward(self, x):
        return self.proj(self.body(self.stem(x)).flatten(1)).relu()
