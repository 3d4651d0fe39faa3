import torch.nn as nn


class GlyphNet(nn.Module):
    def __init__(self, n_classes, neck_dim):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU())
        self.stage1 = nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(nn.Conv2d(32, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(48 * 4, neck_dim), nn.LayerNorm(neck_dim), nn.Tanh())
        self.head = nn.Linear(neck_dim, n_classes)

    def forward(self, x):
        return self.head(self.neck(self.stage2(self.stage1(self.stem(x)))))
