import torch.nn as nn
import torch.nn.functional as F


class EmbeddingNet(nn.Module):
    def __init__(self, out_dim=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.PReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.PReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Linear(32 * 4, 64), nn.PReLU(), nn.Linear(64, out_dim))

    def forward(self, x):
        return F.normalize(self.fc(self.features(x).flatten(1)), dim=1)
