import torch.nn as nn


class GlyphNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(),
            nn.Flatten(),
            nn.Linear(512, 48), nn.ReLU(),
        )
        self.head = nn.Linear(48, n_out)

    def forward(self, x):
        return self.head(self.encoder(x))
