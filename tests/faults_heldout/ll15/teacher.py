import torch.nn as nn


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 64, 3, stride=2, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Flatten())
        self.drop = nn.Dropout(0.3)
        self.classify = nn.Linear(64 * 16, 10)
        self.slant = nn.Linear(64 * 16, 1)      # second task of the original model, not used here

    def forward(self, x):
        return self.classify(self.drop(self.conv(x)))
