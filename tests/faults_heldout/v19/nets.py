import torch.nn as nn


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(32 * 16, 96), nn.ReLU(), nn.Linear(96, 10))

    def forward(self, x):
        return self.fc(self.stem(x))
