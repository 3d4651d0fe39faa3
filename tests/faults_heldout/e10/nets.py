import torch.nn.functional as F
from torch import nn


class Wide(nn.Module):
    def __init__(self, w=48):
        super().__init__()
        self.conv1 = nn.Conv2d(1, w, 3, padding=1)
        self.conv2 = nn.Conv2d(w, 2 * w, 3, padding=1)
        self.bn1, self.bn2 = nn.BatchNorm2d(w), nn.BatchNorm2d(2 * w)
        self.fc = nn.Linear(2 * w * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))


class Small(nn.Module):
    """About 1.5k weights."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(48, 10))

    def forward(self, x):
        return self.net(x)
